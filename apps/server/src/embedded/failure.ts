/** Why the embedded database could not be brought up or down. */
export type PostgresFailureCode =
  /** No PostgreSQL binaries for this system are installed. */
  | 'no-binaries'
  /** The data folder was written by another major version. */
  | 'other-major'
  /** Root must not run PostgreSQL, and no other user can reach the data folder. */
  | 'no-user'
  /** initdb failed; its words are in the message. */
  | 'init-failed'
  /** The server does not come up; the end of its log is in the message. */
  | 'start-failed'
  /** The server does not go down. */
  | 'stop-failed';

export class PostgresFailure extends Error {
  readonly code: PostgresFailureCode;
  constructor(code: PostgresFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PostgresFailure';
    this.code = code;
  }
}
