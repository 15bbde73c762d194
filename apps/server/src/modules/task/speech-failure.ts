import type { SpeechFailureCode } from '../../providers/speech/port.ts';
import type { TaskFailure } from './outcome.ts';

/**
 * Maps engine failures to task failures. Null means that the job is retried until its retries are exhausted, because
 * the failure isn't caused by the recording. Other transient failures are retried a few times before the task fails.
 */
export const speechFailures: Readonly<Record<SpeechFailureCode, TaskFailure | null>> = {
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
