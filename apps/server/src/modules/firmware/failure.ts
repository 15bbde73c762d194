/** A failure to publish firmware. The message tells the operator the reason. */
export class FirmwareFailure extends Error {
  override readonly name = 'FirmwareFailure';
}
