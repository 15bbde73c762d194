import type { TaskHead } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { isLocal, isTrans, type RecordSummary, type Trouble } from '@linnet/sync';
import type { Moving } from '../../ports/library.ts';

/**
 * How one recording stands, as one thing: what its row shows at the end, and what its page says.
 * `percent` from 0 to 100.
 */
export type RowState =
  | { readonly kind: 'on-recorder' }
  /** It is being recorded, and comes here meanwhile. */
  | { readonly kind: 'recording' }
  /** `paused`: a part of it came over, and the recorder is out of reach. */
  | { readonly kind: 'fetching'; readonly percent: number; readonly paused: boolean }
  /** Whole on the phone, and nothing moves. */
  | { readonly kind: 'local' }
  | { readonly kind: 'uploading'; readonly percent: number }
  /** In the cloud, not transcribed, and nothing moves. */
  | { readonly kind: 'cloud' }
  /** `at`: the step the server is at, and how much of it is done; null while it waits. */
  | {
      readonly kind: 'transcribing';
      readonly percent: number;
      readonly at: TaskHead['step'];
    }
  | { readonly kind: 'done' }
  | {
      readonly kind: 'trouble';
      readonly step: Trouble['step'];
      readonly code: Trouble['code'];
      readonly failure: CallFailure | null;
    };

/** What the state is derived from: the same fields of a list row and of a whole recording. */
export type StateSource = Pick<
  RecordSummary,
  'is_local' | 'is_trans' | 'process' | 'copies' | 'audioBytes' | 'trouble'
> &
  Moving;

/** A recording as the list has it. */
export type ListedRecord = RecordSummary & Moving;

/** Everything that moves shows 1–99 until it is confirmed (specification, section 4). */
function moving(fraction: number): number {
  return Math.min(99, Math.max(1, Math.floor(fraction * 100)));
}

/**
 * The state of a recording. A transcript that is there outweighs everything but what stands in the way
 * of another one, then trouble; then counts whatever is furthest along the way recorder → phone → cloud →
 * transcript.
 */
export function rowState(record: StateSource): RowState {
  const { copies, movement, trouble } = record;
  const another = movement?.step === 'upload' || trouble?.step === 'transcribe';
  if (record.is_trans === isTrans.translated && !another) return { kind: 'done' };
  if (movement?.step === 'record') return { kind: 'recording' };
  if (trouble) {
    const failure = 'failure' in trouble ? (trouble.failure ?? null) : null;
    return { kind: 'trouble', step: trouble.step, code: trouble.code, failure };
  }
  if (record.is_trans === isTrans.failed) {
    return { kind: 'trouble', step: 'transcribe', code: 'failed', failure: null };
  }
  if (record.is_trans === isTrans.transferring) {
    const percent = Math.min(99, Math.max(0, Math.round(record.process)));
    const at = movement?.step === 'transcribe' ? movement.at : null;
    return { kind: 'transcribing', percent, at };
  }
  if (movement?.step === 'upload') {
    return { kind: 'uploading', percent: moving(movement.fraction) };
  }
  // A download is no step on the way to a transcript: the recording is in the cloud meanwhile.
  if (movement && movement.step !== 'download') {
    // Preparing makes the playable file of what came over: the last of the way, not a new one.
    const fraction = movement.step === 'prepare' ? 1 : movement.fraction;
    return { kind: 'fetching', percent: moving(fraction), paused: false };
  }
  if (record.is_local === isLocal.onServer || isThere(copies.cloud)) return { kind: 'cloud' };
  if (isThere(copies.phone)) return { kind: 'local' };
  if (copies.recorder.status === 'absent') {
    return { kind: 'trouble', step: 'fetch', code: 'session_gone', failure: null };
  }
  // With more here than the recorder ever listed, it was cut off while it was recorded: of how much, nobody knows.
  if (copies.phone.status === 'partial' && copies.phone.bytes < record.audioBytes) {
    return { kind: 'fetching', percent: moving(partOnPhone(record)), paused: true };
  }
  return { kind: 'on-recorder' };
}

/** How much of the recording is on this phone or beyond, from 0 to 1: the crimson of its waveform. */
export function filledPart(record: StateSource): number {
  const state = rowState(record);
  if (state.kind === 'fetching') return state.percent / 100;
  return isThere(record.copies.phone) ||
    isThere(record.copies.cloud) ||
    record.is_local === isLocal.onServer
    ? 1
    : partOnPhone(record);
}

function partOnPhone({ copies, audioBytes }: StateSource): number {
  return copies.phone.status === 'partial' && audioBytes > 0
    ? Math.min(1, copies.phone.bytes / audioBytes)
    : 0;
}

function isThere(copy: { readonly status: string }): boolean {
  return copy.status !== 'absent' && copy.status !== 'partial';
}
