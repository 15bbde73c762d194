/**
 * A failure of a Pocket.
 * - `key_refused`: it didn't accept the session key.
 * - `key_hang_up`: it closed the link in response to the session key.
 * - `silent`: it doesn't respond to a command.
 * - `list_incomplete`: a list of recordings has fewer or more entries than announced.
 * - `file_incomplete`: a file has fewer or more bytes than announced. It can be read again.
 * - `file_damaged`: a file isn't an unbroken chain of MP3 frames. It can be read again.
 * - `file_too_large`: a file is larger than any that the app reads, or than the memory that is left.
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
