/** The values used in retention rules. This module imports nothing, because the app loads it to offer them. */

/** The units for the age of recordings in a rule. */
export const retentionUnits = ['day', 'month'] as const;
export type RetentionUnit = (typeof retentionUnits)[number];

/** Why a rule waits for the user's confirmation: the server was restored from a backup, or its clock jumped. */
export const retentionPauses = ['restored', 'clock'] as const;
export type RetentionPause = (typeof retentionPauses)[number];
