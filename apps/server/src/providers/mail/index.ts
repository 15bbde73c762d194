import type { Config } from '../../config/index.ts';
import { createOutboxMailer } from './outbox.ts';
import type { Mailer } from './port.ts';
import { createSmtpMailer } from './smtp.ts';

/** Selects SMTP if it is configured, otherwise the outbox. */
export function selectMailer(config: Config): Mailer {
  return config.SMTP_URL === undefined
    ? createOutboxMailer(config.DATA_DIR, config.MAIL_FROM)
    : createSmtpMailer(config.SMTP_URL, config.MAIL_FROM);
}
