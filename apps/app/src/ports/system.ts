/** The operating system of this device. It is `linux` if no other system is detected. */
export type DeviceSystem = 'ios' | 'android' | 'windows' | 'macos' | 'linux';
