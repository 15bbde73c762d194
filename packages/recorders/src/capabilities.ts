import type { RecordMode, RecordScene } from '@linnet/device/session';

/**
 * The kinds of recorders.
 * - `linnet`: a recorder that speaks the protocol of PROTOCOL.md.
 * - `this-device`: the microphone of the phone or computer on which the app runs.
 */
export type RecorderKind = 'linnet' | 'this-device';

/** The functions of a recorder. The app offers what they allow, and nothing else. */
export type RecorderCapabilities = {
  /** The app can start and stop a recording. */
  readonly recordsOnCommand: boolean;
  readonly pauses: boolean;
  /** The audio is available while it is being recorded. */
  readonly streamsLive: boolean;
  /** Recordings are stored on the recorder and read later. */
  readonly storesSessions: boolean;
  /** An interrupted read continues where it stopped. */
  readonly resumesReads: boolean;
  readonly deletesSessions: boolean;
  /** The user can choose among several microphones. */
  readonly choosesInput: boolean;
  /** In a call, it also records the audio of a tab or screen that the user shares. */
  readonly sharesAudio: boolean;
  readonly reportsBattery: boolean;
  readonly reportsStorage: boolean;
  readonly setsGain: boolean;
  readonly setsLed: boolean;
  readonly hasWifi: boolean;
  readonly updatesFirmware: boolean;
  readonly modes: readonly RecordMode[];
  readonly scenes: readonly RecordScene[];
};

/** The capabilities by kind, at most: some browsers cannot share audio. */
export const recorderCapabilities: Readonly<Record<RecorderKind, RecorderCapabilities>> = {
  linnet: {
    recordsOnCommand: true,
    pauses: true,
    streamsLive: true,
    storesSessions: true,
    resumesReads: true,
    deletesSessions: true,
    choosesInput: false,
    sharesAudio: false,
    reportsBattery: true,
    reportsStorage: true,
    setsGain: true,
    setsLed: true,
    hasWifi: true,
    updatesFirmware: true,
    modes: ['normal', 'call'],
    scenes: ['meeting', 'note', 'call'],
  },
  'this-device': {
    recordsOnCommand: true,
    pauses: true,
    streamsLive: true,
    storesSessions: false,
    resumesReads: false,
    deletesSessions: false,
    choosesInput: true,
    sharesAudio: true,
    reportsBattery: false,
    reportsStorage: false,
    setsGain: false,
    setsLed: false,
    hasWifi: false,
    updatesFirmware: false,
    modes: ['normal'],
    scenes: ['meeting', 'note', 'call'],
  },
};
