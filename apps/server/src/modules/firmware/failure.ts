/** Thrown if firmware can't be published. The message tells the operator why. */
export class FirmwareFailure extends Error {
  override readonly name = 'FirmwareFailure';
}
