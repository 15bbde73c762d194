/** Firmware that cannot be published; the message says why, for the operator. */
export class FirmwareFailure extends Error {
  override readonly name = 'FirmwareFailure';
}
