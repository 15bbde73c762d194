/** Thrown if firmware can't be published. The message explains the cause to the operator. */
export class FirmwareFailure extends Error {
  override readonly name = 'FirmwareFailure';
}
