/** Batches an account's newly completed transcripts into one email. */
import type { NotificationEvent } from '@linnet/contract/notifications';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { dayMs } from '../../calendar.ts';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';

export interface DigestDependencies {
  readonly queue: Queue;
  readonly now: () => Date;
}

/** How long the first transcript waits for others, in milliseconds. */
const gatherMs = 5 * 60_000;
/** Minimum interval between two emails, in milliseconds. */
const intervalMs = 3_600_000;
/** Time in milliseconds after which a digest counts as lost. By then, its job has no retries left. */
const lostMs = 2 * dayMs;

/** A waiting recording. */
export type WaitingTranscript = Pick<
  Row<'recordings'>,
  'client_flag' | 'recorded_at' | 'utc_offset'
> & {
  readonly entry: string;
  /** Whether the user has since archived the recording or moved it to the recycle bin. */
  readonly is_put_away: boolean;
};

/**
 * Adds a recording to the next email, in the transaction that stores its transcript. For accounts without this email,
 * costs only one index lookup.
 */
export async function mailTranscript(
  trx: Transaction,
  deps: DigestDependencies,
  { accountId, recordingId }: { readonly accountId: string; readonly recordingId: string },
): Promise<void> {
  const event: NotificationEvent = 'transcript';
  const choices = await trx
    .selectFrom('notification_mails')
    .select(['digest_at', 'digest_sent_at'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`events ? ${event}`)
    .forUpdate()
    .executeTakeFirst();
  if (!choices) return;
  const entry = uuidv7();
  await trx
    .insertInto('waiting_transcripts')
    .values({ recording_id: recordingId, account_id: accountId, entry })
    .onConflict((conflict) => conflict.column('recording_id').doUpdateSet({ entry }))
    .execute();
  const { digest_at: digestAt, digest_sent_at: sentAt } = choices;
  const time = deps.now();
  const isRequested = digestAt !== null && time.getTime() - digestAt.getTime() < lostMs;
  if (!isRequested) await request(trx, deps, accountId, sentAt);
}

/** Requests the next email, at least an hour after the last one. */
async function request(
  trx: Transaction,
  { queue, now }: DigestDependencies,
  accountId: string,
  sentAt: Date | null,
): Promise<void> {
  const sendsAt = new Date(
    Math.max(now().getTime() + gatherMs, (sentAt?.getTime() ?? 0) + intervalMs),
  );
  await trx
    .updateTable('notification_mails')
    .set({ digest_at: sendsAt })
    .where('account_id', '=', accountId)
    .execute();
  const job = { kind: 'transcript', accountId, at: sendsAt.toISOString() } as const;
  // A user who turns this email off and on again may request the email for the same time twice. Two jobs would both
  // send it.
  await queue.enqueueOnce(trx, 'send-mail', `${accountId} ${job.at}`, job, sendsAt);
}

/** Returns the account's waiting recordings, latest first. */
export function readWaiting(queries: Queries, accountId: string): Promise<WaitingTranscript[]> {
  return queries
    .selectFrom('waiting_transcripts')
    .innerJoin('recordings', 'recordings.id', 'waiting_transcripts.recording_id')
    .select(['entry', 'client_flag', 'recorded_at', 'utc_offset'])
    .select(sql<boolean>`(is_del = 1 or is_archived = 1)`.as('is_put_away'))
    .where('waiting_transcripts.account_id', '=', accountId)
    .orderBy('recorded_at', 'desc')
    .orderBy('recordings.id', 'desc')
    .execute();
}

/**
 * Ends a digest, and requests the next one if more transcripts have become ready.
 * @param digest its time, the waiting recordings that it covered, and whether an email was sent
 */
export async function endDigest(
  db: Database,
  deps: DigestDependencies,
  accountId: string,
  digest: {
    readonly at: Date;
    readonly waiting: readonly WaitingTranscript[];
    readonly isSent: boolean;
  },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const choices = await trx
      .selectFrom('notification_mails')
      .select('digest_sent_at')
      .where('account_id', '=', accountId)
      .where('digest_at', '=', digest.at)
      .forUpdate()
      .executeTakeFirst();
    // The user has since turned this email off.
    if (!choices) return;
    const entries = digest.waiting.map(({ entry }) => entry);
    await trx
      .deleteFrom('waiting_transcripts')
      .where('account_id', '=', accountId)
      .where(sql<boolean>`entry = any(${entries}::uuid[])`)
      .execute();
    const sentAt = digest.isSent ? deps.now() : choices.digest_sent_at;
    await trx
      .updateTable('notification_mails')
      .set({ digest_at: null, digest_sent_at: sentAt })
      .where('account_id', '=', accountId)
      .execute();
    const otherRecording = await trx
      .selectFrom('waiting_transcripts')
      .select('entry')
      .where('account_id', '=', accountId)
      .limit(1)
      .executeTakeFirst();
    if (otherRecording) await request(trx, deps, accountId, sentAt);
  });
}
