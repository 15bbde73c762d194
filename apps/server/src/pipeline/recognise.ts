import { toBcp47 } from '@linnet/contract/languages';
import type { TaskFailure } from '../modules/task/outcome.ts';
import type { SpeechFailureCode, TranscribeResult } from '../providers/speech/port.ts';
import { SpeechFailure } from '../providers/speech/port.ts';
import { audioOf } from './decode.ts';
import type { Step, StepContext } from './step.ts';
import { TaskEnd } from './step.ts';

/** How often the engine may fail on one task before the task does. */
const engineTries = 3;

/** Audio → words with times, in the language asked for or the one that was heard. */
export const recognise: Step<'recognise'> = {
  name: 'recognise',
  share: 74,

  async run(context, { detect }, onProgress, signal) {
    const { engines, task } = context;
    const recognizer = await engines.find(task.language);
    if (!recognizer) throw new TaskEnd('languageUnavailable');
    const request = {
      audio: { kind: 'wav', path: audioOf(context) },
      language: task.language,
      ...(detect.stretches && { stretches: detect.stretches }),
      signal,
      onProgress,
    } as const;
    let heard: TranscribeResult;
    try {
      heard = await recognizer.transcribe(request);
    } catch (error) {
      throw error instanceof SpeechFailure ? await judge(error, context) : error;
    }
    const { words, engine, punctuated } = heard;
    if (words.length === 0) throw new TaskEnd('noSpeech');
    const language = toBcp47(heard.language);
    // It heard one that is none of the ten: nothing after this could deal with it.
    if (!language) throw new TaskEnd('languageUnavailable');
    return { words, language, engine, punctuated };
  },
};

/**
 * The end that each failure of an engine means. Null: the job runs again, for nothing is wrong with the
 * engine. What may pass by itself is tried again first.
 */
const ends: Readonly<Record<SpeechFailureCode, TaskFailure | null>> = {
  'engine-missing': 'engineMisconfigured',
  'model-missing': 'engineMisconfigured',
  'model-corrupt': 'engineMisconfigured',
  'access-refused': 'engineMisconfigured',
  'quota-exhausted': 'engineQuota',
  'service-unavailable': 'engineFailed',
  'engine-crashed': 'engineFailed',
  timeout: 'engineFailed',
  'output-unreadable': 'engineFailed',
  'language-unsupported': 'languageUnavailable',
  'audio-unreadable': 'audioUnreadable',
  'scratch-failed': null,
  aborted: null,
};

/** What to throw: the end of the task, or the failure itself for another try. */
async function judge(failure: SpeechFailure, { countFailure }: StepContext): Promise<Error> {
  const end = ends[failure.code];
  if (end === null) return failure;
  if (failure.retryable && (await countFailure()) < engineTries) return failure;
  return new TaskEnd(end, failure);
}
