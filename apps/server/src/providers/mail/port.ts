/** Sending mail as the modules see it. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type MailFailureCode =
  /** The mail server did not take it; trying again soon may help. */
  | 'unavailable'
  /** The mail server refused this recipient or this mail for good. */
  | 'refused';

export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  readonly code: MailFailureCode;
  constructor(code: MailFailureCode, cause: unknown) {
    super(`mail ${code}`, { cause });
    this.code = code;
  }
}

export interface Mailer {
  /** @throws MailFailure */
  send(mail: Mail): Promise<void>;
  /** Reaches the mail server and signs in, and sends nothing. @throws MailFailure */
  verify(): Promise<void>;
  close(): void;
}
