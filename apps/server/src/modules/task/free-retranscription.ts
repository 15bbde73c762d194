/** Decides which transcriptions are free: transcriptions that replace a draft the user has paid for. */
import { codes } from '@linnet/contract/codes';
import { minutesFor } from '@linnet/contract/durations';
import { autoLanguage, type SpokenLanguage } from '@linnet/contract/languages';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Queries, Row } from '../../db/database.ts';
import { isDraft, latestWholeTranscript } from './latest-transcript.ts';

/** Number of failed free transcriptions after which further attempts are charged. */
const MAX_FAILURES = 2;

/**
 * Returns whether a transcript is a draft in the given language, and the user has paid for the recording's full
 * duration. A draft of substitute audio may have cost less, because the audio was shorter.
 * @param seconds the recording's duration
 */
export function isPaidDraft(
  transcript: Pick<Row<'tasks'>, 'engine' | 'language' | 'minutes' | 'is_free'> | undefined,
  seconds: number,
  language: SpokenLanguage,
): boolean {
  if (!transcript || !isDraft(transcript)) return false;
  if (language !== autoLanguage && language !== transcript.language) return false;
  return transcript.is_free || transcript.minutes >= minutesFor(seconds);
}

/**
 * Selects an account's recordings that have used up their free transcriptions: one was canceled, or two failed. Without
 * this limit, free transcriptions could be started and canceled endlessly, although the engine may cost money.
 */
export function recordingsWithoutFreeAttempts(queries: Queries, accountId: string) {
  return queries
    .selectFrom('tasks')
    .select('recording_id')
    .where('account_id', '=', accountId)
    .where('is_free', '=', true)
    .where('status', '=', taskStatus.failed)
    .groupBy('recording_id')
    .having(
      sql<boolean>`(count(*) >= ${MAX_FAILURES} or bool_or(error_code = ${codes.transcriptionCanceled}))`,
    );
}

/** Returns whether transcribing the recording's own audio is free, provided that a better engine is used. */
export async function isFreeRetranscription(
  queries: Queries,
  recording: Pick<Row<'recordings'>, 'id' | 'account_id' | 'total_time'>,
  language: SpokenLanguage,
): Promise<boolean> {
  const transcript = await latestWholeTranscript(queries, recording.id);
  if (!isPaidDraft(transcript, recording.total_time, language)) return false;
  const exhausted = await recordingsWithoutFreeAttempts(queries, recording.account_id)
    .where('recording_id', '=', recording.id)
    .executeTakeFirst();
  return exhausted === undefined;
}
