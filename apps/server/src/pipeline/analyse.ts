import type { StructureId } from '@linnet/contract/structures';
import { toUserTime } from '../modules/recording/user-time.ts';
import { carriedNames } from '../modules/sync/carry-over/new-transcript.ts';
import { latestTranscript } from '../modules/task/latest-transcript.ts';
import { reuseItemIds } from '../modules/task/reuse-item-ids.ts';
import { structuresFor } from '../modules/task/structures.ts';
import { summaryFailures } from '../modules/task/summary-failure.ts';
import { isVip } from '../modules/user/vip.ts';
import { createBuiltinAnalyzer } from '../providers/analysis/builtin/index.ts';
import { analyzeLabeled, type LabeledParagraph } from '../providers/analysis/named-speakers.ts';
import type { Analysis, TranscriptAnalyzer } from '../providers/analysis/port.ts';
import { AnalysisFailure } from '../providers/analysis/port.ts';
import type { InputsOf, Step, StepContext } from './step.ts';

/**
 * Analyzes the paragraphs: title, summary and the rest of the analysis. Skipped if only a range is transcribed again.
 */
export const analyse: Step<'analyse'> = {
  name: 'analyse',
  share: 6,

  async run(context, inputs, onProgress, signal) {
    if (context.task.range) return { analysis: null };
    const analyzeWith = (analyzer: TranscriptAnalyzer) =>
      analyze(context, analyzer, inputs, onProgress, signal);
    if (context.analyzer.isDeferred) {
      return { analysis: await analyzeWith(createBuiltinAnalyzer()), failure: 'postponed' };
    }
    try {
      return { analysis: await analyzeWith(context.analyzer) };
    } catch (error) {
      if (!(error instanceof AnalysisFailure) || error.code === 'aborted') throw error;
      const failure = error.retryable ? 'postponed' : summaryFailures[error.code];
      context.log.warn(
        { taskId: context.task.id, failure, reason: error.message },
        'summary failed, storing the built-in summary instead',
      );
      return { analysis: await analyzeWith(createBuiltinAnalyzer()), failure };
    }
  },
};

async function analyze(
  context: StepContext,
  analyzer: TranscriptAnalyzer,
  { recognise, paragraphs }: InputsOf<'analyse'>,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<Analysis> {
  const { task, recording, db } = context;
  const names = await carriedNames(db, recording, paragraphs.paragraphs);
  // Read the notes as late as possible, because they may arrive after the recording.
  const current = await db
    .selectFrom('recordings')
    .select('notes')
    .where('id', '=', recording.id)
    .executeTakeFirst();
  const analysis = await analyzeLabeled(analyzer, {
    names,
    notes: current?.notes ?? [],
    language: recognise.language,
    recordedAt: toUserTime(recording),
    structures: await defaultStructures(context, analyzer),
    signal,
    onProgress,
    paragraphs: paragraphs.paragraphs.map(
      ({ id, start, end, content, words, speaker = null }): LabeledParagraph => ({
        ...{ id, start, end, text: content, words, speaker },
      }),
    ),
  });
  // Items ticked in the previous transcript stay ticked.
  const before = await latestTranscript(db, task.recording_id);
  const ticked = Object.keys(recording.ticks);
  const document = reuseItemIds(before?.summary_json ?? null, analysis.document, ticked);
  return { ...analysis, document };
}

/** Returns the summary structures included by default. */
async function defaultStructures(
  { db, recording, isFree, now }: StepContext,
  analyzer: TranscriptAnalyzer,
): Promise<StructureId[]> {
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', recording.account_id)
    .executeTakeFirstOrThrow();
  const isMember = isFree || isVip(account, now());
  return structuresFor(analyzer, { isMember });
}
