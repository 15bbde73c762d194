/**
 * Keeps speaker names in finished summaries up to date. The stored texts always contain the current names, so
 * everything that reads them does too: the API, search, mind map files, and clients that don't support the references.
 */
import { nameSpeakers, type Summary } from '@linnet/contract/speaker-references';
import type { Logger } from 'pino';
import type { Transaction } from '../../db/database.ts';
import { isActive } from './active-tasks.ts';
import { latestTranscript } from './latest-transcript.ts';

/** Called with the error if a summary couldn't be read, so its names weren't updated. */
export type OnNamingFailure = (recordingId: string, error: unknown) => void;

export const logNamingFailure =
  (log: Pick<Logger, 'error'>): OnNamingFailure =>
  (recordingId, error) =>
    log.error({ recordingId, err: error }, 'failed to update speaker names in summary');

/**
 * Writes the current speaker names to the summary of a recording's latest transcript. The task gets the recording's
 * revision, which the caller must have assigned, so phones receive both together.
 *
 * A summary that is being regenerated is left unchanged, because the revision of its task identifies the request. The
 * new summary gets the names when it is stored. An unreadable summary is also left unchanged, so it doesn't fail the
 * transaction.
 */
export async function renameInSummary(
  trx: Transaction,
  recordingId: string,
  now: Date,
  onFailure: OnNamingFailure = () => undefined,
): Promise<void> {
  const latest = await latestTranscript(trx, recordingId);
  // An extractive summary quotes the transcript, so its names must not change.
  if (latest?.summary_json?.kind !== 'generative') return;
  const task = await trx
    .selectFrom('tasks')
    .select(['title', 'brief', 'summary', 'keywords', 'xmind_json', 'summary_status'])
    .where('id', '=', latest.id)
    .executeTakeFirstOrThrow();
  if (isActive(task.summary_status)) return;
  const recording = await trx
    .selectFrom('recordings')
    .select(['ai_title', 'brief', 'keywords', 'speakers', 'mind_map', 'rev'])
    .where('id', '=', recordingId)
    .executeTakeFirstOrThrow();
  const paragraphs = await trx
    .selectFrom('paragraphs')
    .select(['id', 'speaker'])
    .where('task_id', '=', latest.id)
    .execute();
  const summary: Summary = {
    title: task.title,
    brief: task.brief,
    summary: task.summary,
    keywords: task.keywords,
    document: latest.summary_json,
    mindMap: task.xmind_json,
    ownMindMap: recording.mind_map,
  };
  const { ai_title: title, brief, keywords, speakers: names } = recording;
  const current = { names, paragraphs };
  const rename = () => {
    try {
      const named = nameSpeakers(summary, current);
      if (named === summary) return null;
      // The recording's texts may differ from the task's: it may have kept the texts of an earlier summary.
      return { named, shown: nameSpeakers({ ...summary, title, brief, keywords }, current) };
    } catch (error) {
      onFailure(recordingId, error);
      return null;
    }
  };
  const renamed = rename();
  if (!renamed) return;
  const { named, shown } = renamed;
  const toJson = (value: object | null) => value && JSON.stringify(value);
  const { rev } = recording;
  await trx
    .updateTable('tasks')
    .set({
      title: named.title,
      brief: named.brief,
      summary: named.summary,
      keywords: JSON.stringify(named.keywords),
      summary_json: toJson(named.document),
      xmind_json: toJson(named.mindMap),
      rev,
      updated_at: now,
    })
    .where('id', '=', latest.id)
    .execute();
  await trx
    .updateTable('recordings')
    .set({
      ai_title: shown.title,
      brief: shown.brief,
      keywords: JSON.stringify(shown.keywords),
      mind_map: toJson(named.ownMindMap),
    })
    .where('id', '=', recordingId)
    .execute();
}
