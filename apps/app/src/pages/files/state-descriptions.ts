import type { TFunction } from 'i18next';
import { formatPercentage } from '../../i18n/format.ts';
import type { RowState } from './row-state.ts';

type ProblemState = Extract<RowState, { kind: 'trouble' }>;

/** Returns a failure's message, and details that explain how it affects the recording. */
export function describeProblem(
  t: TFunction,
  state: ProblemState,
): { message: string; details: string } {
  const key = `${state.step}.${state.code}`;
  switch (key) {
    case 'fetch.checksum_differs':
    case 'fetch.storage_full':
    case 'fetch.session_gone':
    case 'fetch.not_sent':
    case 'fetch.not_audio':
    case 'fetch.recorder_busy':
    case 'fetch.recorder_fault':
    case 'fetch.recorder_refused':
    case 'fetch.download_differs':
    case 'upload.refused':
    case 'upload.file_missing':
    case 'upload.cloud_differs':
    case 'transcribe.refused':
    case 'transcribe.failed':
    case 'transcribe.range_failed':
      return { message: t(`trouble.${key}.what`), details: t(`trouble.${key}.means`) };
    default:
      throw new RangeError(`unknown failure: ${key}`);
  }
}

/** Describes a state for screen readers and tooltips. */
export function describeState(t: TFunction, state: RowState, language: string): string {
  switch (state.kind) {
    case 'on-recorder':
      return t('state.onRecorderLong');
    case 'fetching':
    case 'uploading':
    case 'transcribing':
      return t(`state.${state.kind}`, { percent: formatPercentage(state.percent, language) });
    case 'recording':
    case 'local':
    case 'cloud':
    case 'done':
      return t(`state.${state.kind}`);
    case 'interrupted':
      return t('record.interruptedTitle');
    case 'trouble':
      return t('state.troubleLong', { what: describeProblem(t, state).message });
  }
}
