/** The values of retention rules. Imports nothing, because the app offers them. */

/** The units of a rule's age. */
export const retentionUnits = ['day', 'month'] as const;
export type RetentionUnit = (typeof retentionUnits)[number];

/** Why a rule waits for the owner: the server was restored from a backup, or its clock jumped. */
export const retentionPauses = ['restored', 'clock'] as const;
export type RetentionPause = (typeof retentionPauses)[number];
