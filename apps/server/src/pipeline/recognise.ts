import { toBcp47 } from '@linnet/contract/languages';
import type { SliceResult } from '../live/store.ts';
import { shift } from '../live/text.ts';
import { readVocabulary } from '../modules/setting/settings.ts';
import { speechFailures } from '../modules/task/speech-failure.ts';
import { SpeechFailure } from '../providers/speech/port.ts';
import type { SpeechSegment } from '../providers/voice/port.ts';
import { applyVocabulary } from '../transcript/vocabulary.ts';
import { unrecognizedPath } from './decode.ts';
import { mainLanguage, readLiveText, resultAfterLiveText } from './live-text.ts';
import type { Step, StepContext } from './step.ts';
import { TaskEnd } from './step.ts';

/** Number of engine failures before the task fails. */
const maxEngineAttempts = 3;

/** Recognizes words and their timings, in the requested or detected language, with the user's vocabulary. */
export const recognise: Step<'recognise'> = {
  name: 'recognise',
  share: 74,

  async run(context, { decode, detect }, onProgress, signal) {
    const { live } = decode;
    const results = live ? await readLiveText(context, live) : [];
    const vocabulary = await readVocabulary(
      context.db,
      context.recording.account_id,
      context.recording.client_flag,
    );
    const isRestSilent = live && (live.restSamples === 0 || detect.stretches?.length === 0);
    if (!isRestSilent) {
      const recognizedRest = await recognizeAudio(
        context,
        { path: unrecognizedPath(context, decode), segments: detect.stretches, vocabulary },
        onProgress,
        signal,
      );
      results.push(live ? resultAfterLiveText(live, recognizedRest) : recognizedRest);
    }
    const recognized = results.flatMap((result) => result.words);
    const [first] = results.filter((result) => result.words.length > 0);
    if (!first) throw new TaskEnd('noSpeech');
    const { engine } = first;
    const punctuated = results.some((result) => result.punctuated && result.words.length > 0);
    const words = await applyVocabulary(recognized, vocabulary);
    return { words, language: mainLanguage(results) ?? first.language, engine, punctuated };
  },
};

interface UnrecognizedAudio {
  readonly path: string;
  /** Null if speech detection wasn't available. Any of the audio may then be speech. */
  readonly segments: readonly SpeechSegment[] | null;
  /** The user's names and terms. */
  readonly vocabulary: readonly string[];
}

/** @throws TaskEnd, and rethrows transient engine failures */
async function recognizeAudio(
  context: StepContext,
  { path, segments, vocabulary }: UnrecognizedAudio,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<SliceResult> {
  const { engines, task } = context;
  const { language: requested, start = 0 } = task.range ?? { language: task.language };
  const recognizer = await engines.find(requested);
  if (!recognizer) throw new TaskEnd('languageUnavailable');
  try {
    const result = await recognizer.transcribe({
      audio: { kind: 'wav', path },
      language: requested,
      vocabulary,
      ...(segments && { segments }),
      signal,
      onProgress,
    });
    const language = toBcp47(result.language);
    // The engine detected a language that later steps don't support.
    if (!language) throw new TaskEnd('languageUnavailable');
    return { ...result, language, words: shift(result.words, start) };
  } catch (error) {
    throw error instanceof SpeechFailure ? await errorFor(error, context) : error;
  }
}

/** Returns the error to throw: a `TaskEnd`, or the failure itself if the job should be retried. */
async function errorFor(failure: SpeechFailure, { countFailure }: StepContext): Promise<Error> {
  const taskFailure = speechFailures[failure.code];
  if (taskFailure === null) return failure;
  if (failure.retryable && (await countFailure()) < maxEngineAttempts) return failure;
  return new TaskEnd(taskFailure, failure);
}
