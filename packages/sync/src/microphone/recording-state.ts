/** The states of a recording with this device's microphone. */
import type { RecordScene } from '@linnet/device/session';
import type { MicrophoneErrorCode } from './microphone.ts';

/** Milliseconds of silence before a warning, so that the user notices a muted microphone early. */
export const SILENCE_MS = 10_000;

/** A recording interrupted by a crash, a reload or a lost microphone. */
export type InterruptedRecording = {
  readonly id: string;
  /** ISO 8601. */
  readonly createDate: string;
  /** Milliseconds of audio recorded so far. */
  readonly recordedMs: number;
  readonly scene: RecordScene;
  /** Null after a crash or a reload. */
  readonly code: MicrophoneErrorCode | null;
};

/** The state of a recording's shared audio: `none` unless it's a call, `ended` once the user has stopped sharing. */
export type SharingState = 'none' | 'active' | 'ended';

export type MicrophoneRecorderState =
  | { readonly status: 'idle' }
  /** The microphone is being opened; the browser may be asking for permission. */
  | { readonly status: 'starting' }
  | {
      readonly status: 'recording';
      readonly id: string;
      /** ISO 8601. */
      readonly createDate: string;
      readonly scene: RecordScene;
      /** Milliseconds since 1970, adjusted for pauses and interruptions. */
      readonly startedAt: number;
      /** Null unless paused. */
      readonly pausedAt: number | null;
      /** True if the microphone has been silent for {@link SILENCE_MS}. */
      readonly isSilent: boolean;
      readonly sharing: SharingState;
    }
  | { readonly status: 'interrupted'; readonly recording: InterruptedRecording }
  /** The files of a complete recording are being created. */
  | { readonly status: 'finishing' };
