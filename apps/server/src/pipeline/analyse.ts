import { latestTranscript } from '../modules/task/latest-transcript.ts';
import { reuseItemIds } from '../modules/task/reuse-item-ids.ts';
import { structuresFor } from '../modules/task/structures.ts';
import { isVip } from '../modules/user/vip.ts';
import type { AnalysisParagraph } from '../providers/analysis/port.ts';
import { AnalysisFailure } from '../providers/analysis/port.ts';
import type { Step, StepContext } from './step.ts';

/** The step that analyzes the paragraphs: title, summary and the rest of the analysis. */
export const analyse: Step<'analyse'> = {
  name: 'analyse',
  share: 6,

  async run(context, { recognise, paragraphs }, onProgress, signal) {
    const { analyzer, task, recording, log } = context;
    const names = recording.speakers;
    try {
      const analysis = await analyzer.analyze({
        language: recognise.language,
        recordedAt: recording.recorded_at,
        ...(await defaultStructures(context)),
        signal,
        onProgress,
        paragraphs: paragraphs.paragraphs.map(
          ({ id, start, end, content, words, speaker }): AnalysisParagraph => ({
            ...{ id, start, end, text: content, words },
            ...(speaker !== undefined && { speaker: names[speaker] ?? speaker }),
          }),
        ),
      });
      // Items ticked in the previous transcript stay ticked.
      const before = await latestTranscript(context.db, task.recording_id);
      const ticked = Object.keys(recording.ticks);
      const document = reuseItemIds(before?.summary_json ?? null, analysis.document, ticked);
      return { analysis: { ...analysis, document } };
    } catch (error) {
      if (!(error instanceof AnalysisFailure) || error.code === 'aborted') throw error;
      log.warn({ taskId: task.id, reason: error.message }, 'transcript stored without a summary');
      return { analysis: null, ...(error.retryable && { isPostponed: true }) };
    }
  },
};

/** Returns the structures that are included by default. */
async function defaultStructures({ db, analyzer, recording, open, now }: StepContext) {
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', recording.account_id)
    .executeTakeFirstOrThrow();
  const isMember = open || isVip(account, now());
  return { structures: structuresFor(analyzer, { isMember }) };
}
