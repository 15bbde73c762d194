import type { SummaryDocument } from '@linnet/contract';
import { defaultStructure } from '@linnet/contract/structures';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { toStorable } from '../db/storable.ts';
import { toUserTime } from '../modules/recording/user-time.ts';
import { structuresFor } from '../modules/task/structures.ts';
import type { Summaries } from '../modules/task/summary.ts';
import { summaryFailures } from '../modules/task/summary-failure.ts';
import { isVip } from '../modules/user/vip.ts';
import { analyzeLabeled } from '../providers/analysis/named-speakers.ts';
import type { TranscriptAnalyzer } from '../providers/analysis/port.ts';
import { AnalysisFailure } from '../providers/analysis/port.ts';
import { type JobHandler, JobPostponed } from './jobs.ts';

export interface SummarizeDependencies {
  readonly db: Database;
  readonly analyzer: TranscriptAnalyzer;
  readonly summaries: Summaries;
  /** Whether every feature is available to all users (`BILLING=off`). */
  readonly isFree: boolean;
  readonly log: Logger;
  readonly now: () => Date;
}

/**
 * Creates the "summarize" job, which summarizes the edited transcript. It can be killed at any point and rerun. The
 * result is written exactly once, by the last transaction.
 */
export function summarizeJob(deps: SummarizeDependencies): JobHandler<'summarize'> {
  const { db, analyzer, summaries, isFree, log, now } = deps;
  return async ({ taskId }, signal) => {
    const task = await summaries.begin(taskId);
    if (!task) return;
    const paragraphs = await db
      .selectFrom('paragraphs')
      .selectAll()
      .where('task_id', '=', taskId)
      .orderBy('ordinal')
      .execute();
    const recording = await db
      .selectFrom('recordings')
      .innerJoin('accounts', 'accounts.id', 'recordings.account_id')
      .select(['recordings.recorded_at', 'recordings.utc_offset', 'recordings.speakers'])
      .select('recordings.notes')
      .select(['accounts.vip_plan', 'accounts.vip_started_at', 'accounts.vip_expires_at'])
      .select(['accounts.vip_renews', 'accounts.vip_rest_plan', 'accounts.vip_rest_seconds'])
      .where('recordings.id', '=', task.recording_id)
      .executeTakeFirst();
    // The recording was deleted along with the task.
    if (!recording) return;
    const {
      structure: requested,
      template,
      language,
    } = task.summary_request ?? {
      structure: defaultStructure,
    };
    try {
      const analysis = await analyzeLabeled(analyzer, {
        names: recording.speakers,
        notes: recording.notes,
        language: task.language,
        ...(language && { summaryLanguage: language }),
        structures: structuresFor(analyzer, {
          isMember: isFree || isVip(recording, now()),
          requested,
          existing: existingStructures(task.summary_json),
        }),
        ...(template && { template }),
        recordedAt: toUserTime(recording),
        signal,
        paragraphs: paragraphs.map((paragraph) => ({
          id: paragraph.id,
          start: paragraph.start_time,
          end: paragraph.end_time,
          text: paragraph.content,
          speaker: paragraph.speaker,
          // Word timings only fit unedited text.
          ...(paragraph.original === null && { words: paragraph.words }),
        })),
      });
      const document = { ...analysis.document, structure: requested };
      await summaries.succeed(task, toStorable({ ...analysis, document }));
    } catch (error) {
      if (!(error instanceof AnalysisFailure) || error.code === 'aborted') throw error;
      if (error.retryable) throw new JobPostponed(error.message, { cause: error });
      log.warn({ taskId, reason: error.message }, 'summary failed');
      await summaries.fail(taskId, summaryFailures[error.code]);
    }
  };
}

function existingStructures(document: SummaryDocument | null) {
  return Object.keys(document?.structures ?? {}) as (keyof SummaryDocument['structures'])[];
}

/** Creates the job that abandons a summary after the last retry of "summarize" has failed. */
export function abandonSummaryJob(summaries: Summaries): JobHandler<'summarize.given-up'> {
  return ({ taskId }) => summaries.fail(taskId, 'summaryFailed');
}
