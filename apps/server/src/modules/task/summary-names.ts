/**
 * Keeps the names of speakers in finished summaries up to date. The stored texts always have the current names, so that
 * everything that reads them has: API, search, mind map files, and clients that don't know the references.
 */
import { nameSpeakers, type Summary } from '@linnet/contract/speaker-references';
import type { Logger } from 'pino';
import type { Transaction } from '../../db/database.ts';
import { isActive } from './active-tasks.ts';
import { latestTranscript } from './latest-transcript.ts';

/** Called with the error if a summary kept its names, because it couldn't be read. */
export type OnNamingFailure = (recordingId: string, error: unknown) => void;

export const logNamingFailure =
  (log: Pick<Logger, 'error'>): OnNamingFailure =>
  (recordingId, error) =>
    log.error({ recordingId, err: error }, 'speakers couldn’t be named in the summary');

/**
 * Writes the current names of a recording's speakers to the summary of its latest transcript. The task gets the
 * recording's revision, which the caller must have assigned, so that phones receive both together. A summary that is being
 * replaced stays as it is, because the revision of its task identifies the request; the new one is named when it is stored.
 * A summary that can't be read keeps its texts, so that it doesn't hold up the transaction.
 */
export async function renameInSummary(
  trx: Transaction,
  recordingId: string,
  now: Date,
  onFailure: OnNamingFailure = () => undefined,
): Promise<void> {
  const latest = await latestTranscript(trx, recordingId);
  // An extractive summary quotes.
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
      // The recording's texts differ from the task's if it has kept those of an earlier summary.
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
