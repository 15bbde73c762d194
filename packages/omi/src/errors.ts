/**
 * A failure of an Omi.
 *
 * - `codec_unknown`: it uses a codec that the app doesn't support.
 * - `storage_refused`: it refused a command for its stored recordings.
 * - `storage_incomplete`: some of the stored audio was lost in transit. It can be read again.
 * - `storage_silent`: it doesn't respond to a command for its stored recordings.
 */
export type OmiErrorCode =
  | 'codec_unknown'
  | 'storage_refused'
  | 'storage_incomplete'
  | 'storage_silent';

export class OmiError extends Error {
  override readonly name = 'OmiError';
  readonly code: OmiErrorCode;

  constructor(code: OmiErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
