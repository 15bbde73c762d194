import type { Config } from '../../config/index.ts';
import { outboxMailer } from './outbox.ts';
import type { Mailer } from './port.ts';
import { smtpMailer } from './smtp.ts';

/** SMTP where it is configured, else the outbox. */
export function selectMailer(config: Config): Mailer {
  return config.SMTP_URL === undefined
    ? outboxMailer(config.DATA_DIR, config.MAIL_FROM)
    : smtpMailer(config.SMTP_URL, config.MAIL_FROM);
}
