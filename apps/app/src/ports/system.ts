/** This device's operating system, `linux` if no other is detected. */
export type DeviceSystem = 'ios' | 'android' | 'windows' | 'macos' | 'linux';
