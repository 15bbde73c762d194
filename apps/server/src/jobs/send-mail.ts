import { type SendMailParts, sendNotificationMail } from '../modules/notification-mail/send.ts';
import type { JobHandler } from './jobs.ts';

/** Creates the job "send-mail", which sends one notification mail. */
export function sendMailJob(parts: SendMailParts): JobHandler<'send-mail'> {
  return (payload) => sendNotificationMail(parts, payload);
}
