/** The operating system of this device; Linux if none of the others is detected. */
export type DeviceSystem = 'ios' | 'android' | 'windows' | 'macos' | 'linux';
