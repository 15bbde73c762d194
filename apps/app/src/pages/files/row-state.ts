import type { TaskHead } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { isCapturedSerial, isLocal, isTrans, type Problem, type RecordSummary } from '@linnet/sync';
import type { WithMovement } from '../../ports/library.ts';

/** A recording's state, as shown at the end of its row and on its page. `percent` is between 0 and 100. */
export type RowState =
  | { readonly kind: 'on-recorder' }
  /** The recorder is still recording. The transfer runs at the same time. */
  | { readonly kind: 'recording' }
  /** A recording from this device's microphone that was interrupted and can be continued. */
  | { readonly kind: 'interrupted' }
  /** `paused`: partially transferred, and the recorder is out of range. */
  | { readonly kind: 'fetching'; readonly percent: number; readonly paused: boolean }
  /** Complete on the phone, with nothing in progress. */
  | { readonly kind: 'local' }
  | { readonly kind: 'uploading'; readonly percent: number }
  /** In the cloud and not transcribed, with nothing in progress. */
  | { readonly kind: 'cloud' }
  /** `at`: the server's current step and its progress, or null while queued. */
  | {
      readonly kind: 'transcribing';
      readonly percent: number;
      readonly at: TaskHead['step'];
      /** The range being transcribed again. Undefined for the whole recording. */
      readonly range?: TaskHead['range'];
    }
  | { readonly kind: 'done' }
  | {
      readonly kind: 'trouble';
      readonly step: Problem['step'];
      readonly code: Problem['code'];
      readonly failure: CallFailure | null;
    };

/** The fields that the state is derived from. List rows and full recordings both have them. */
export type StateSource = Pick<
  RecordSummary,
  'is_local' | 'is_trans' | 'process' | 'copies' | 'audioBytes' | 'problem' | 'sn'
> &
  WithMovement;

/** A recording in the list. */
export type ListedRecord = RecordSummary & WithMovement;

/** Converts a fraction to 1–99, the range shown until the operation is confirmed (specification, section 4). */
function progressPercent(fraction: number): number {
  return Math.min(99, Math.max(1, Math.floor(fraction * 100)));
}

/**
 * Returns a recording's state. A transcript takes precedence over everything but a failed or pending re-transcription.
 * Next come failures, then the furthest stage of recorder → phone → cloud → transcript.
 */
export function rowState(record: StateSource): RowState {
  const { copies, movement, problem } = record;
  // A failed transcription of a range doesn't affect the transcript.
  const hasTranscriptionFailed = problem?.step === 'transcribe' && problem.code !== 'range_failed';
  // Without a copy in the cloud, an upload replaces lost audio, and no transcription follows.
  const isUploadForTask = movement?.step === 'upload' && isComplete(copies.cloud);
  const hasNewerTask = isUploadForTask || hasTranscriptionFailed;
  // In the specification, `translated` means transcribed, and `transferring` means being transcribed.
  if (record.is_trans === isTrans.translated && !hasNewerTask) return { kind: 'done' };
  if (movement?.step === 'record') return { kind: 'recording' };
  if (problem) {
    const failure = 'failure' in problem ? (problem.failure ?? null) : null;
    return { kind: 'trouble', step: problem.step, code: problem.code, failure };
  }
  if (record.is_trans === isTrans.failed) {
    return { kind: 'trouble', step: 'transcribe', code: 'failed', failure: null };
  }
  if (record.is_trans === isTrans.transferring) {
    const percent = Math.min(99, Math.max(0, Math.round(record.process)));
    if (movement?.step !== 'transcribe') return { kind: 'transcribing', percent, at: null };
    const { at, range } = movement;
    return { kind: 'transcribing', percent, at, ...(range && { range }) };
  }
  if (movement?.step === 'upload') {
    return { kind: 'uploading', percent: progressPercent(movement.fraction) };
  }
  // A download isn't a step toward a transcript, because the recording is already in the cloud.
  if (movement && movement.step !== 'download') {
    // `prepare` creates the playable file at the end of a transfer and isn't a separate stage.
    const fraction = movement.step === 'prepare' ? 1 : movement.fraction;
    return { kind: 'fetching', percent: progressPercent(fraction), paused: false };
  }
  if (record.is_local === isLocal.onServer || isComplete(copies.cloud)) return { kind: 'cloud' };
  if (isComplete(copies.phone)) return { kind: 'local' };
  if (copies.phone.status === 'partial' && isCapturedSerial(record.sn)) {
    return { kind: 'interrupted' };
  }
  if (copies.recorder.status === 'absent') {
    return { kind: 'trouble', step: 'fetch', code: 'session_gone', failure: null };
  }
  // If the phone has at least as many bytes as the recorder last listed, the connection was lost during the recording,
  // so the total is unknown.
  if (copies.phone.status === 'partial' && copies.phone.bytes < record.audioBytes) {
    return { kind: 'fetching', percent: progressPercent(shareOnPhone(record)), paused: true };
  }
  return { kind: 'on-recorder' };
}

/**
 * Returns whether a recording is being transferred or transcribed. Its row will then change soon.
 * @param isConnected whether the recorder is connected
 */
export function isInProgress(record: StateSource, isConnected: boolean): boolean {
  const { kind } = rowState(record);
  if (kind === 'on-recorder' || kind === 'recording') return isConnected;
  return kind === 'fetching' || kind === 'uploading' || kind === 'transcribing';
}

/**
 * Returns the fraction of the recording that is on this phone or in the cloud, from 0 to 1. The waveform shows it in
 * crimson.
 */
export function transferredShare(record: StateSource): number {
  const state = rowState(record);
  if (state.kind === 'fetching') return state.percent / 100;
  return isComplete(record.copies.phone) ||
    isComplete(record.copies.cloud) ||
    record.is_local === isLocal.onServer
    ? 1
    : shareOnPhone(record);
}

function shareOnPhone({ copies, audioBytes }: StateSource): number {
  return copies.phone.status === 'partial' && audioBytes > 0
    ? Math.min(1, copies.phone.bytes / audioBytes)
    : 0;
}

function isComplete(copy: { readonly status: string }): boolean {
  return copy.status !== 'absent' && copy.status !== 'partial';
}
