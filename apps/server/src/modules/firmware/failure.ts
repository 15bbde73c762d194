/** Thrown if firmware can't be published. The message is shown to the operator. */
export class FirmwareFailure extends Error {
  override readonly name = 'FirmwareFailure';
}
