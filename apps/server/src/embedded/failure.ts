/** Why the embedded database couldn't be started or stopped. */
export type PostgresFailureCode =
  /** No PostgreSQL binaries are installed for this system. */
  | 'no-binaries'
  /** The data folder was written by a different major version of PostgreSQL. */
  | 'other-major'
  /** PostgreSQL refuses to run as root, and no other user can access the data folder. */
  | 'no-user'
  /** initdb failed. The message contains its output. */
  | 'init-failed'
  /** The server didn't start. The message contains the end of its log. */
  | 'start-failed'
  /** The server didn't stop. */
  | 'stop-failed';

export class PostgresFailure extends Error {
  readonly code: PostgresFailureCode;
  constructor(code: PostgresFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PostgresFailure';
    this.code = code;
  }
}
