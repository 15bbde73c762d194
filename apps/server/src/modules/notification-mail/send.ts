/** Sends notification emails. */
import type { Logger } from 'pino';
import { dayMs, nextLocalHour } from '../../calendar.ts';
import type { Database } from '../../db/database.ts';
import { JobPostponed, type Jobs } from '../../jobs/jobs.ts';
import { type Mailer, MailFailure } from '../../providers/mail/port.ts';
import { findDueTodos } from '../push/due-todos.ts';
import { readAccountLanguage } from '../user/languages.ts';
import { type DigestDependencies, endDigest, readWaiting } from './digest.ts';
import { type MailContent, notificationMail } from './message.ts';
import type { UnsubscribeAddresses } from './unsubscribe-address.ts';

export interface SendMailDependencies extends DigestDependencies {
  readonly db: Database;
  /** Null if the server can't send mail. */
  readonly mailer: Pick<Mailer, 'send'> | null;
  readonly addresses: UnsubscribeAddresses;
  /** The server's URL as opened by users. */
  readonly origin: string;
  readonly log: Logger;
}

type Job = Jobs['send-mail'];

interface Recipient {
  readonly email: string;
  readonly time_zone: string;
  readonly digest_at: Date | null;
}

/**
 * Sends a notification email, unless it is outdated. If the worker is killed after the mail server has accepted the
 * email, it is sent again with the same ID.
 * @throws JobPostponed if the mail server is unavailable
 */
export async function sendNotificationMail(deps: SendMailDependencies, job: Job): Promise<void> {
  const { db, origin } = deps;
  const { accountId } = job;
  const choices = await db
    .selectFrom('notification_mails')
    .innerJoin('accounts', 'accounts.id', 'notification_mails.account_id')
    .select(['email', 'events', 'time_zone', 'digest_at'])
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  if (!choices?.events.includes(job.kind)) return;
  if (job.kind === 'transcript') {
    await sendDigest(deps, job, choices);
    return;
  }
  const todos = await findDueTodos(db, { accountId, day: job.day, origin });
  const recordings = new Map(todos.toReversed().map((todo) => [todo.recording.client_flag, todo]));
  const content = {
    ...{ kind: job.kind, count: todos.length },
    recordings: [...recordings.values()].toReversed(),
  };
  await send(deps, job, choices, content, nextLocalHour(new Date(job.at), 0, choices.time_zone));
}

/** Sends the transcripts that have become ready since the last email. */
async function sendDigest(
  deps: SendMailDependencies,
  job: Extract<Job, { kind: 'transcript' }>,
  recipient: Recipient,
): Promise<void> {
  const { db, origin } = deps;
  const at = new Date(job.at);
  // The user has turned this email off and on again, or another worker has sent it.
  if (recipient.digest_at?.getTime() !== at.getTime()) return;
  const waitingRecordings = await readWaiting(db, job.accountId);
  const recordings = waitingRecordings
    .filter(({ is_put_away }) => !is_put_away)
    .map((recording) => ({
      recording,
      url: `${origin}/pages/fileDetail?${new URLSearchParams({ id: recording.client_flag })}`,
    }));
  const content = { kind: job.kind, count: recordings.length, recordings };
  const expiry = new Date(at.getTime() + dayMs);
  const isSent = await send(deps, job, recipient, content, expiry);
  await endDigest(db, deps, job.accountId, { at, waiting: waitingRecordings, isSent });
}

/**
 * Sends an email. Returns whether it was sent.
 * @param expiry when the email becomes outdated
 * @throws JobPostponed if the mail server is unavailable
 */
async function send(
  { db, mailer, addresses, origin, log, now }: SendMailDependencies,
  { kind, accountId, at }: Job,
  { email }: Recipient,
  content: MailContent,
  expiry: Date,
): Promise<boolean> {
  if (content.count === 0) return false;
  if (!mailer || now() >= expiry) {
    log.warn({ accountId, kind }, 'notification mail given up');
    return false;
  }
  const mail = notificationMail(content, {
    to: email,
    language: (await readAccountLanguage(db, accountId)) ?? 'en',
    origin,
    unsubscribeUrl: addresses.createUrl(accountId, origin),
    // A retry with different content must not look like the same email.
    event: [accountId, kind, at, content.count, ...content.recordings.map(({ url }) => url)].join(
      ' ',
    ),
  });
  try {
    await mailer.send(mail);
    return true;
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    if (error.code === 'unavailable') throw new JobPostponed('the mail server is unavailable');
    log.warn({ accountId, kind }, 'notification mail rejected');
    return false;
  }
}
