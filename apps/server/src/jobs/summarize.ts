import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Summaries } from '../modules/task/summary.ts';
import type { TranscriptAnalyser } from '../providers/analysis/port.ts';
import { AnalysisFailure } from '../providers/analysis/port.ts';
import type { JobHandler } from './jobs.ts';

export interface SummarizeParts {
  readonly db: Database;
  readonly analyser: TranscriptAnalyser;
  readonly summaries: Summaries;
  readonly log: Logger;
}

/**
 * The job "summarize": the transcript as its owner left it → analysis → summary. It may be killed at
 * any point and run again; only its last transaction writes what it found, and does so once.
 */
export function summarizeJob(parts: SummarizeParts): JobHandler<'summarize'> {
  const { db, analyser, summaries, log } = parts;
  return async ({ taskId }, signal) => {
    const task = await summaries.begin(taskId);
    if (!task) return;
    const paragraphs = await db
      .selectFrom('paragraphs')
      .selectAll()
      .where('task_id', '=', taskId)
      .orderBy('ordinal')
      .execute();
    try {
      const analysis = await analyser.analyse({
        language: task.language,
        structures: [],
        recordedAt: task.created_at,
        signal,
        paragraphs: paragraphs.map((paragraph) => ({
          id: paragraph.id,
          start: paragraph.start_time,
          end: paragraph.end_time,
          text: paragraph.content,
          // The words are those that were heard.
          ...(paragraph.original === null && { words: paragraph.words }),
        })),
      });
      await summaries.succeed(taskId, analysis);
    } catch (error) {
      const hopeless = error instanceof AnalysisFailure && error.code === 'quota-exhausted';
      if (!hopeless) throw error;
      log.warn({ taskId, reason: error.message }, 'a summary failed');
      await summaries.fail(taskId);
    }
  };
}

/** The job that ends a summary whose own job was given up on. */
export function summaryGivenUpJob(summaries: Summaries): JobHandler<'summarize.given-up'> {
  return ({ taskId }) => summaries.fail(taskId);
}
