import type { RecordMode, RecordScene } from '@linnet/device/session';
import type { Recorder, RecorderKind } from '@linnet/recorders';
import type { MicrophoneAvailability, MicrophoneInput } from '@linnet/sync';
import type { RecorderFailure } from './recorder.ts';
import type { Store } from './store.ts';

/** This device's microphones. */
export type MicrophoneService = {
  availability(): Promise<MicrophoneAvailability>;
  /** The microphones to choose from. Their names are unknown before access is granted. */
  inputs(): Promise<readonly MicrophoneInput[]>;
  /** The chosen microphone; null for the system default. */
  readonly input: Store<string | null>;
  /** Chooses a microphone, starting with the next recording. */
  chooseInput(id: string | null): void;
  /** Whether the user has read the notice that everyone in a call must know about the recording. */
  readonly isCallNoticeRead: Store<boolean>;
  markCallNoticeRead(): void;
};

/** A recording's options. */
export type RecordingOptions = { readonly mode: RecordMode; readonly scene: RecordScene };

/** The recorders that the record button can control. */
export type RecordersService = {
  /** The recorder that is recording, or else the chosen one. */
  readonly current: Store<RecorderKind>;
  /** Chooses a recorder for the next recordings. */
  choose(kind: RecorderKind): void;
  /** The next recording's options, which persist across restarts. */
  readonly options: Store<RecordingOptions>;
  /** Changes some of the options. */
  chooseOptions(options: Partial<RecordingOptions>): void;
  of(kind: RecorderKind): Recorder<RecorderFailure>;
  readonly microphone: MicrophoneService;
};
