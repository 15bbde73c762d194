import { createTransport } from 'nodemailer';
import { messageOf } from './message.ts';
import type { Mailer } from './port.ts';
import { MailFailure } from './port.ts';

/** Response timeout of the mail server. It is short because a client is waiting. */
const timeoutMs = 8000;

/** Creates a mailer that sends through the SMTP_URL server. */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(
    { url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    { from },
  );
  return {
    async send(mail) {
      try {
        await transport.sendMail(messageOf(mail));
      } catch (cause) {
        // 5xx is permanent (RFC 5321, 4.2.1). Everything else, including connection errors, is transient.
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
