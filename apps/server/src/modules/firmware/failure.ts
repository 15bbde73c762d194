/** Firmware could not be published; the message explains why to the operator. */
export class FirmwareFailure extends Error {
  override readonly name = 'FirmwareFailure';
}
