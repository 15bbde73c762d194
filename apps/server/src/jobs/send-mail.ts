import {
  type SendMailDependencies,
  sendNotificationMail,
} from '../modules/notification-mail/send.ts';
import type { JobHandler } from './jobs.ts';

/** Creates the "send-mail" job, which sends one notification mail. */
export function sendMailJob(deps: SendMailDependencies): JobHandler<'send-mail'> {
  return (payload) => sendNotificationMail(deps, payload);
}
