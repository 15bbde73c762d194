import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { feedbackMail } from '../modules/feedback/mail.ts';
import type { Mailer } from '../providers/mail/port.ts';
import { MailFailure } from '../providers/mail/port.ts';
import type { JobHandler } from './jobs.ts';

export interface MailFeedbackDependencies {
  readonly db: Database;
  readonly mailer: Omit<Mailer, 'verify'>;
  /** The value of FEEDBACK_TO. If unset, no mail is sent. */
  readonly to: string | undefined;
  readonly log: Logger;
}

/** Creates the "mail-feedback" job, which emails a user's feedback to the operator. */
export function mailFeedbackJob(deps: MailFeedbackDependencies): JobHandler<'mail-feedback'> {
  const { db, mailer, to, log } = deps;
  return async ({ feedbackId }) => {
    if (to === undefined) return;
    const feedback = await db
      .selectFrom('feedback')
      .leftJoin('accounts', 'accounts.id', 'feedback.account_id')
      .selectAll('feedback')
      .select('email')
      .where('feedback.id', '=', feedbackId)
      .executeTakeFirst();
    // The account was closed after the job was enqueued.
    if (!feedback) return;
    try {
      await mailer.send(feedbackMail(to, feedback));
    } catch (error) {
      if (!(error instanceof MailFailure) || error.code !== 'refused') throw error;
      log.error({ feedbackId }, 'failed to mail feedback: the address was rejected');
    }
  };
}
