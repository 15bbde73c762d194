import { createTransport } from 'nodemailer';
import type { Mailer } from './port.ts';
import { MailFailure } from './port.ts';

/** Response timeout of the mail server; a caller is waiting. */
const timeoutMs = 8000;

/** Sends through the server of SMTP_URL. */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(
    { url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    { from },
  );
  return {
    async send(mail) {
      try {
        await transport.sendMail(mail);
      } catch (cause) {
        // 5xx is permanent (RFC 5321, 4.2.1); everything else, including connection errors, is transient.
        const status = (cause as { responseCode?: number }).responseCode ?? 0;
        throw new MailFailure(status >= 500 ? 'refused' : 'unavailable', cause);
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
