import type { InterfaceLanguage } from '@linnet/contract/interface-languages';

/** A mail. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same text with links, for mail programs that show HTML. */
  readonly html?: string;
  /** Address with which the recipient turns mails like this one off (RFC 2369), with one request (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /** The `Message-ID` without brackets; a new one if absent. */
  readonly id?: string;
  /** Language of the subject and text. */
  readonly language: InterfaceLanguage;
}

export type MailFailureCode =
  /** The mail server is unavailable; a retry may succeed. */
  | 'unavailable'
  /** The mail server permanently rejected the recipient or the mail. */
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
  /**
   * Connects and authenticates without sending mail.
   * @throws MailFailure
   */
  verify(): Promise<void>;
  close(): void;
}
