/** What this device runs, as far as that is told apart; Linux where it says none of the others. */
export type DeviceSystem = 'ios' | 'android' | 'windows' | 'macos' | 'linux';
