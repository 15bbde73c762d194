import type { RecordMode, RecordScene } from '@linnet/device/session';

/**
 * A recorder's kind.
 * - `linnet`: a recorder that speaks the protocol in PROTOCOL.md.
 * - `omi`: a recorder from Omi, which streams its audio.
 * - `this-device`: the microphone of the phone or computer that runs the app.
 */
export type RecorderKind = 'linnet' | 'omi' | 'this-device';

/** The functions a recorder supports. The app offers only these. */
export type RecorderCapabilities = {
  /** The app can start and stop a recording. */
  readonly recordsOnCommand: boolean;
  readonly pauses: boolean;
  /** A new recording can continue an earlier one, with which it is merged. */
  readonly continuesRecordings: boolean;
  /** Audio is available while it's being recorded. */
  readonly streamsLive: boolean;
  /** Recordings are stored on the recorder, to be read later. */
  readonly storesSessions: boolean;
  /** An interrupted read resumes where it stopped. */
  readonly resumesReads: boolean;
  readonly deletesSessions: boolean;
  /** The user can choose between several microphones. */
  readonly choosesInput: boolean;
  /** During a call, the audio of a tab or screen shared by the user is also recorded. */
  readonly supportsSharedAudio: boolean;
  readonly reportsBattery: boolean;
  readonly reportsStorage: boolean;
  /** The app can set the microphones and the type of recording that the recorder's own button starts. */
  readonly changesSettings: boolean;
  readonly setsLed: boolean;
  readonly hasWifi: boolean;
  readonly updatesFirmware: boolean;
  /** The recorder keeps a log of its operations. */
  readonly keepsLog: boolean;
  readonly modes: readonly RecordMode[];
  readonly scenes: readonly RecordScene[];
};

/**
 * The functions that a `linnet` recorder may lack. PROTOCOL.md allows it to respond to their commands with
 * `command_unknown`.
 */
export type OptionalFunction = Extract<
  keyof RecorderCapabilities,
  'pauses' | 'changesSettings' | 'setsLed' | 'hasWifi' | 'keepsLog' | 'updatesFirmware'
>;

/** The most each kind of recorder can do. Some browsers can't share audio. */
export const recorderCapabilities: Readonly<Record<RecorderKind, RecorderCapabilities>> = {
  linnet: {
    recordsOnCommand: true,
    pauses: true,
    continuesRecordings: false,
    streamsLive: true,
    storesSessions: true,
    resumesReads: true,
    deletesSessions: true,
    choosesInput: false,
    supportsSharedAudio: false,
    reportsBattery: true,
    reportsStorage: true,
    changesSettings: true,
    setsLed: true,
    hasWifi: true,
    updatesFirmware: true,
    keepsLog: true,
    modes: ['normal', 'call'],
    scenes: ['meeting', 'note', 'call'],
  },
  omi: {
    recordsOnCommand: true,
    pauses: true,
    continuesRecordings: true,
    streamsLive: true,
    storesSessions: true,
    resumesReads: true,
    deletesSessions: true,
    choosesInput: false,
    supportsSharedAudio: false,
    reportsBattery: true,
    reportsStorage: false,
    changesSettings: false,
    setsLed: false,
    hasWifi: false,
    updatesFirmware: false,
    keepsLog: false,
    modes: ['normal'],
    scenes: ['meeting', 'note'],
  },
  'this-device': {
    recordsOnCommand: true,
    pauses: true,
    continuesRecordings: true,
    streamsLive: true,
    storesSessions: false,
    resumesReads: false,
    deletesSessions: false,
    choosesInput: true,
    supportsSharedAudio: true,
    reportsBattery: false,
    reportsStorage: false,
    changesSettings: false,
    setsLed: false,
    hasWifi: false,
    updatesFirmware: false,
    keepsLog: false,
    modes: ['normal'],
    scenes: ['meeting', 'note', 'call'],
  },
};

/** Returns the capabilities of a `linnet` recorder that lacks the given functions. */
export function linnetCapabilities(missing: readonly OptionalFunction[]): RecorderCapabilities {
  const absentCapabilities = Object.fromEntries(missing.map((name) => [name, false]));
  return { ...recorderCapabilities.linnet, ...absentCapabilities };
}
