/** The units of a retention rule's age. Imports nothing, because the app offers them. */
export const retentionUnits = ['day', 'month'] as const;
export type RetentionUnit = (typeof retentionUnits)[number];
