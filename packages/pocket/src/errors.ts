/**
 * A failure of a Pocket.
 *
 * - `key_refused`: it refused the session key.
 * - `key_hang_up`: it closed the link in response to the session key.
 * - `silent`: it doesn't respond to a command.
 * - `list_incomplete`: a list of recordings has fewer or more entries than announced.
 * - `file_incomplete`: a file has fewer or more bytes than announced. It can be read again.
 * - `file_damaged`: a file isn't an unbroken sequence of MP3 frames. It can be read again.
 * - `file_too_large`: a file exceeds the app's limit or the available memory.
 */
export type PocketErrorCode =
  | 'key_refused'
  | 'key_hang_up'
  | 'silent'
  | 'list_incomplete'
  | 'file_incomplete'
  | 'file_damaged'
  | 'file_too_large';

export class PocketError extends Error {
  override readonly name = 'PocketError';
  readonly code: PocketErrorCode;

  constructor(code: PocketErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
