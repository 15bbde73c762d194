import type { InterfaceLanguage } from '@linnet/contract/interface-languages';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same text with links, for mail clients that show HTML. */
  readonly html?: string;
  /** URL that unsubscribes from this kind of email (RFC 2369) with a single request (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /** The `Message-ID` without brackets. Generated if omitted. */
  readonly id?: string;
  /** Language of the subject and text. */
  readonly language: InterfaceLanguage;
}

export type MailFailureCode =
  /** The mail server is unavailable; a retry may succeed. */
  | 'unavailable'
  /** The mail server permanently rejected the recipient or the email. */
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
