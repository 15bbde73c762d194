import { taskStatus } from '@linnet/contract/statuses';
import { keepIds } from '../modules/task/keep-ids.ts';
import { structuresFor } from '../modules/task/structures.ts';
import { isVip } from '../modules/user/vip.ts';
import type { AnalysisParagraph } from '../providers/analysis/port.ts';
import { AnalysisFailure } from '../providers/analysis/port.ts';
import type { Step, StepContext } from './step.ts';

/** How often a service that makes summaries may not answer before the transcript goes without one. */
const analyserTries = 3;

/** Paragraphs → title, summary and all that is found in them. */
export const analyse: Step<'analyse'> = {
  name: 'analyse',
  share: 6,

  async run(context, { recognise, paragraphs }, onProgress, signal) {
    const { analyser, task, recording, log } = context;
    const names = recording.speakers;
    try {
      const analysis = await analyser.analyse({
        language: recognise.language,
        recordedAt: recording.recorded_at,
        ...(await wanted(context)),
        signal,
        onProgress,
        paragraphs: paragraphs.paragraphs.map(
          ({ id, start, end, content, words, speaker }): AnalysisParagraph => ({
            ...{ id, start, end, text: content, words },
            ...(speaker !== undefined && { speaker: names[speaker] ?? speaker }),
          }),
        ),
      });
      const before = await summaryBefore(context);
      const document = keepIds(before, analysis.document, Object.keys(recording.ticks));
      return { analysis: { ...analysis, document } };
    } catch (error) {
      if (!(error instanceof AnalysisFailure) || error.code === 'aborted') throw error;
      if (error.retryable && (await context.countFailure()) < analyserTries) throw error;
      log.warn({ taskId: task.id, reason: error.message }, 'a transcript goes without a summary');
      return { analysis: null };
    }
  },
};

/** What its owner may have without asking. */
async function wanted({ db, analyser, recording, open, now }: StepContext) {
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', recording.account_id)
    .executeTakeFirstOrThrow();
  const member = open || isVip(account, now());
  return { structures: structuresFor(analyser, { member }) };
}

/** Of the recording's last transcript, if it had one: what is ticked there stays ticked. */
async function summaryBefore({ db, task }: StepContext) {
  const before = await db
    .selectFrom('tasks')
    .select('summary_json')
    .where('recording_id', '=', task.recording_id)
    .where('status', '=', taskStatus.transcribed)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return before?.summary_json ?? null;
}
