import { createTransport } from 'nodemailer';
import { toMessage } from './message.ts';
import type { Mailer } from './port.ts';
import { MailFailure } from './port.ts';

/** Response timeout of the mail server. Short, because a client is waiting. */
const timeoutMs = 8000;

/**
 * Commands whose permanent rejection (5xx; RFC 5321, 4.2.1) concerns the recipient or the message. Other errors, such
 * as a rejected sign-in, concern the configuration or the connection, and may be resolved before the next attempt.
 */
const MAIL_COMMANDS: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);

/** The properties that nodemailer adds to its errors. */
type SmtpError = { readonly responseCode?: number; readonly command?: string };

/** Creates a mailer that sends through the SMTP_URL server. */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(
    { url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    { from },
  );
  return {
    async send(mail) {
      try {
        await transport.sendMail(toMessage(mail));
      } catch (cause) {
        const { responseCode: status = 0, command = '' } = cause as SmtpError;
        const isRefused = status >= 500 && MAIL_COMMANDS.has(command);
        throw new MailFailure(isRefused ? 'refused' : 'unavailable', cause);
      }
    },
    async verify() {
      try {
        await transport.verify();
      } catch (cause) {
        throw new MailFailure('unavailable', cause);
      }
    },
    close: () => transport.close(),
  };
}
