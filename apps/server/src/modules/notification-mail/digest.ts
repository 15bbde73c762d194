/** Gathers the transcripts of an account that have become ready, so that one mail tells of many. */
import type { NotificationEvent } from '@linnet/contract/notifications';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { dayMs } from '../../calendar.ts';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';

export interface DigestParts {
  readonly queue: Queue;
  readonly now: () => Date;
}

/** Time in milliseconds for which the first transcript waits for others. */
const gatherMs = 5 * 60_000;
/** Minimum time in milliseconds between two mails. */
const intervalMs = 3_600_000;
/** Time in milliseconds after which a digest counts as lost. Its job has given up by then. */
const lostMs = 2 * dayMs;

/** A waiting recording. */
export type WaitingTranscript = Pick<
  Row<'recordings'>,
  'client_flag' | 'recorded_at' | 'utc_offset'
> & {
  readonly entry: string;
  /** Whether the owner has put the recording away in the meantime. */
  readonly is_put_away: boolean;
};

/**
 * Adds a recording to the next mail, in the transaction that stores its transcript. For an account without this mail, it is
 * one query of an index.
 */
export async function mailTranscript(
  trx: Transaction,
  parts: DigestParts,
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
  const time = parts.now();
  const isRequested = digestAt !== null && time.getTime() - digestAt.getTime() < lostMs;
  if (!isRequested) await request(trx, parts, accountId, sentAt);
}

/** Requests the next mail, an hour after the last one at the earliest. */
async function request(
  trx: Transaction,
  { queue, now }: DigestParts,
  accountId: string,
  sentAt: Date | null,
): Promise<void> {
  const at = new Date(Math.max(now().getTime() + gatherMs, (sentAt?.getTime() ?? 0) + intervalMs));
  await trx
    .updateTable('notification_mails')
    .set({ digest_at: at })
    .where('account_id', '=', accountId)
    .execute();
  const job = { kind: 'transcript', accountId, at: at.toISOString() } as const;
  // An owner who turns this mail off and on again may request the mail of the same time twice. Two jobs would both send it.
  await queue.enqueueOnce(trx, 'send-mail', `${accountId} ${job.at}`, job, at);
}

/** Returns the waiting recordings of an account, latest first. */
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
 * Ends a digest, and requests the next one if transcripts have become ready in the meantime.
 * @param digest its time, the waiting recordings that it dealt with, and whether a mail was sent
 */
export async function endDigest(
  db: Database,
  parts: DigestParts,
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
    // The owner has turned this mail off in the meantime.
    if (!choices) return;
    const entries = digest.waiting.map(({ entry }) => entry);
    await trx
      .deleteFrom('waiting_transcripts')
      .where('account_id', '=', accountId)
      .where(sql<boolean>`entry = any(${entries}::uuid[])`)
      .execute();
    const sentAt = digest.isSent ? parts.now() : choices.digest_sent_at;
    await trx
      .updateTable('notification_mails')
      .set({ digest_at: null, digest_sent_at: sentAt })
      .where('account_id', '=', accountId)
      .execute();
    const another = await trx
      .selectFrom('waiting_transcripts')
      .select('entry')
      .where('account_id', '=', accountId)
      .limit(1)
      .executeTakeFirst();
    if (another) await request(trx, parts, accountId, sentAt);
  });
}
