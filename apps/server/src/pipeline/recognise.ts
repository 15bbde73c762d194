import { toBcp47 } from '@linnet/contract/languages';
import type { TaskFailure } from '../modules/task/outcome.ts';
import type { SpeechFailureCode, TranscribeResult } from '../providers/speech/port.ts';
import { SpeechFailure } from '../providers/speech/port.ts';
import { audioPath } from './decode.ts';
import type { Step, StepContext } from './step.ts';
import { TaskEnd } from './step.ts';

/** Number of engine failures before the task fails. */
const maxEngineAttempts = 3;

/** Recognizes words and their timings, in the requested or detected language. */
export const recognise: Step<'recognise'> = {
  name: 'recognise',
  share: 74,

  async run(context, { detect }, onProgress, signal) {
    const { engines, task } = context;
    const recognizer = await engines.find(task.language);
    if (!recognizer) throw new TaskEnd('languageUnavailable');
    const request = {
      audio: { kind: 'wav', path: audioPath(context) },
      language: task.language,
      ...(detect.stretches && { segments: detect.stretches }),
      signal,
      onProgress,
    } as const;
    let result: TranscribeResult;
    try {
      result = await recognizer.transcribe(request);
    } catch (error) {
      throw error instanceof SpeechFailure ? await errorFor(error, context) : error;
    }
    const { words, engine, punctuated } = result;
    if (words.length === 0) throw new TaskEnd('noSpeech');
    const language = toBcp47(result.language);
    // The engine detected a language that the later steps can't process.
    if (!language) throw new TaskEnd('languageUnavailable');
    return { words, language, engine, punctuated };
  },
};

/**
 * Maps engine failures to task failures. Null means that the job is retried until it runs out of retries, since the
 * recording isn't at fault. Other transient failures are retried a few times before the task fails.
 */
const taskFailures: Readonly<Record<SpeechFailureCode, TaskFailure | null>> = {
  'engine-missing': 'engineMisconfigured',
  'model-missing': 'engineMisconfigured',
  'model-corrupt': 'engineMisconfigured',
  'access-refused': 'engineMisconfigured',
  'quota-exhausted': 'engineQuota',
  'service-unavailable': null,
  'engine-crashed': 'engineFailed',
  timeout: 'engineFailed',
  'output-unreadable': 'engineFailed',
  'language-unsupported': 'languageUnavailable',
  'audio-unreadable': 'audioUnreadable',
  'scratch-failed': null,
  aborted: null,
};

/** Returns the error to throw: a `TaskEnd`, or the failure itself if the job should be retried. */
async function errorFor(failure: SpeechFailure, { countFailure }: StepContext): Promise<Error> {
  const taskFailure = taskFailures[failure.code];
  if (taskFailure === null) return failure;
  if (failure.retryable && (await countFailure()) < maxEngineAttempts) return failure;
  return new TaskEnd(taskFailure, failure);
}
