/** The port through which the record button controls a recorder, whether hardware or software. */
import type { Store } from '@linnet/base';
import type { RecordMode, RecordScene } from '@linnet/device/session';
import type { RecorderCapabilities, RecorderKind } from './capabilities.ts';

export type RecordingOptions = { readonly mode: RecordMode; readonly scene: RecordScene };

/** Options for starting a recording. */
export type StartOptions = RecordingOptions & {
  /**
   * The ID of an earlier recording that the new one continues, for recorders with the capability
   * `continuesRecordings`.
   */
  readonly continues?: string;
};

/** A recording in progress. */
export type RunningRecording = RecordingOptions & {
  /** Milliseconds since 1970 by this device's clock, adjusted for pauses. */
  readonly startedAt: number;
  /** Milliseconds since 1970, or null unless paused. */
  readonly pausedAt: number | null;
  /** When the connection to the recorder was lost, in milliseconds since 1970, or null while connected. */
  readonly lostAt: number | null;
  /** True if the recorder has been reporting silence for some time. False if it can't tell. */
  readonly isSilent: boolean;
  /**
   * The state of audio shared during a call: `none` if the recorder doesn't record any, `ended` if the user has stopped
   * sharing.
   */
  readonly sharing: 'none' | 'active' | 'ended';
};

/** An incomplete recording, which can be continued or finished. */
export type InterruptedAudio = {
  /** ISO 8601. */
  readonly createDate: string;
  readonly recordedMs: number;
  /** `restarted`: the app or the device was restarted. `lost`: the microphone was disconnected or failed. */
  readonly reason: 'restarted' | 'lost';
};

export type RecorderActivity =
  | { readonly state: 'disconnected' }
  /** Connected but unable to record right now. */
  | { readonly state: 'unavailable' }
  | { readonly state: 'idle' }
  | { readonly state: 'starting' }
  | { readonly state: 'recording'; readonly running: RunningRecording }
  | { readonly state: 'interrupted'; readonly audio: InterruptedAudio }
  | { readonly state: 'finishing' };

/** The live loudness of the recording in progress. */
export type LiveAudioLevels = {
  /** The recording that the levels belong to, or null before any audio. */
  readonly recordId: string | null;
  /** Total number of levels so far. */
  readonly levelCount: number;
  /** The latest levels, newest last: peak amplitudes from 0 to 1, one per tenth of a second. */
  readonly levels: readonly number[];
};

/** The outcome of a command. */
export type CommandOutcome<Failure> =
  | { readonly ok: true; readonly data: null }
  | { readonly ok: false; readonly failure: Failure };

/** A recorder. Commands that don't apply to the current activity have no effect. */
export interface Recorder<Failure> {
  readonly kind: RecorderKind;
  readonly capabilities: RecorderCapabilities;
  readonly activity: Store<RecorderActivity>;
  /** Changes several times a second while recording, so it should be drawn outside React. */
  readonly audioLevels: Store<LiveAudioLevels>;
  start(options: StartOptions): Promise<CommandOutcome<Failure>>;
  /** Ends the recording. */
  stop(): Promise<CommandOutcome<Failure>>;
  pause(): Promise<CommandOutcome<Failure>>;
  resume(): Promise<CommandOutcome<Failure>>;
  /** Continues an interrupted recording. */
  continue(): Promise<CommandOutcome<Failure>>;
}
