export type * from './types.ts';
export { DEVICE_ERROR_CODES, DeviceError } from './types.ts';
