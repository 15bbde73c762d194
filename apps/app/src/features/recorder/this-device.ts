/** Implements {@link Recorder} for this device's microphone. */
import { writable } from '@linnet/base';
import {
  type CommandOutcome,
  type Recorder,
  type RecorderActivity,
  type RecorderCapabilities,
  recorderCapabilities,
} from '@linnet/recorders';
import {
  isOmiSerial,
  type Microphone,
  MicrophoneError,
  MicrophoneRecorder,
  type MicrophoneRecorderOptions,
  type MicrophoneRecorderState,
  microphoneSerial,
  StorageFull,
} from '@linnet/sync';
import type { RecorderFailure } from '../../ports/recorder.ts';
import type { MicrophoneService } from '../../ports/recorders.ts';
import { createLiveLevels } from './live-audio.ts';

/** Local storage key for this device's serial number as a recorder. */
const SERIAL_KEY = 'MICROPHONE_SERIAL';
/** Local storage key for the chosen microphone. */
const INPUT_KEY = 'MICROPHONE_INPUT';
/** Local storage key that marks the notice before the first call as read. */
const CALL_NOTICE_KEY = 'CALL_NOTICE_READ';

/**
 * Session storage key of the recording to continue after a reload. Session storage is private to this tab. Not set
 * while the recording is paused, or during a call, because sharing audio requires a tap.
 */
const ACTIVE_KEY = 'MICROPHONE_ACTIVE';

export type ThisDeviceOptions = Omit<
  MicrophoneRecorderOptions,
  'serial' | 'owns' | 'onLevels' | 'source'
> & {
  /**
   * Keeps this device awake.
   * @returns a function that allows sleep again
   */
  readonly keepAwake: () => () => void;
  /** Whether this page is a reload of the previous one. */
  readonly wasReloaded: () => boolean;
};

/** This device's microphone as a recorder. */
export type ThisDevice = {
  readonly recorder: Recorder<RecorderFailure>;
  readonly microphone: MicrophoneService;
  /** This device's serial number as a recorder. */
  readonly serial: string;
  /**
   * Continues the recording that was active before a reload, and offers to continue or complete any other interrupted
   * one. Resolves once the state is known; errors go to `onError`.
   */
  start(uid: string): Promise<void>;
  /** Completes the recording in progress. */
  stop(): Promise<void>;
  /** Retries creating a recording's files. */
  complete(recordId: string): void;
};

/** Returns this device's serial number, creating it on the first call. */
function loadSerial(): string {
  const storedSerial = localStorage.getItem(SERIAL_KEY);
  if (storedSerial !== null) return storedSerial;
  const serial = microphoneSerial();
  localStorage.setItem(SERIAL_KEY, serial);
  return serial;
}

function toActivity(now: MicrophoneRecorderState): RecorderActivity {
  switch (now.status) {
    case 'idle':
    case 'starting':
    case 'finishing':
      return { state: now.status };
    case 'recording': {
      const { scene, startedAt, pausedAt, isSilent, sharing } = now;
      return {
        state: 'recording',
        running: { mode: 'normal', scene, startedAt, pausedAt, lostAt: null, isSilent, sharing },
      };
    }
    case 'interrupted': {
      const { createDate, recordedMs, code } = now.recording;
      const reason = code === null ? 'restarted' : 'lost';
      return { state: 'interrupted', audio: { createDate, recordedMs, reason } };
    }
  }
}

/** Returns the capabilities in this browser. Calls can't be recorded in browsers that can't share audio. */
function getCapabilities({ supportsSharedAudio }: Microphone): RecorderCapabilities {
  const all = recorderCapabilities['this-device'];
  if (supportsSharedAudio) return all;
  return { ...all, supportsSharedAudio, scenes: all.scenes.filter((scene) => scene !== 'call') };
}

/** Stores which recording to continue after a reload. */
function rememberActive(now: MicrophoneRecorderState): void {
  if (now.status === 'recording' && now.pausedAt === null && now.sharing === 'none') {
    sessionStorage.setItem(ACTIVE_KEY, now.id);
  } else {
    sessionStorage.removeItem(ACTIVE_KEY);
  }
}

function toFailure(error: unknown): RecorderFailure | null {
  if (error instanceof MicrophoneError) return { kind: 'microphone', code: error.code };
  return error instanceof StorageFull ? { kind: 'microphone', code: 'storage_full' } : null;
}

export function createThisDevice(options: ThisDeviceOptions): ThisDevice {
  const { onError } = options;
  const microphone: Microphone = options.microphone;
  const serial = loadSerial();
  const levels = createLiveLevels();
  const engine = new MicrophoneRecorder({
    ...options,
    source: 'microphone',
    serial: () => serial,
    // Accept other serial numbers too: a browser may have lost this device's serial number in a crash.
    owns: (sn) => !isOmiSerial(sn),
    onLevels: levels.add,
  });
  const activity = writable(toActivity(engine.state.get()));
  const input = writable(localStorage.getItem(INPUT_KEY));
  const isCallNoticeRead = writable(localStorage.getItem(CALL_NOTICE_KEY) !== null);
  const activeBefore = options.wasReloaded() ? sessionStorage.getItem(ACTIVE_KEY) : null;
  let allowSleep: (() => void) | null = null;

  rememberActive(engine.state.get());
  engine.state.subscribe(() => {
    rememberActive(engine.state.get());
    const now = toActivity(engine.state.get());
    if (now.state === 'recording') allowSleep ??= options.keepAwake();
    else {
      allowSleep?.();
      allowSleep = null;
      levels.reset();
    }
    activity.set(now);
  });

  async function command(run: () => Promise<void>): Promise<CommandOutcome<RecorderFailure>> {
    try {
      await run();
      return { ok: true, data: null };
    } catch (error) {
      const failure = toFailure(error);
      if (!failure) onError(error);
      return { ok: false, failure: failure ?? { kind: 'microphone', code: 'io_failed' } };
    }
  }

  /** Continues the recording that a reload interrupted, unless the browser would prompt the user. */
  async function continueAfterReload(): Promise<void> {
    const now = engine.state.get();
    if (now.status !== 'interrupted' || now.recording.id !== activeBefore) return;
    const availability = await microphone.availability();
    if (availability.status !== 'ready' || availability.willPrompt) return;
    try {
      await engine.continue(input.get());
    } catch (error) {
      // The recording stays interrupted, and the user decides what to do.
      if (!toFailure(error)) throw error;
    }
  }

  return {
    serial,
    recorder: {
      kind: 'this-device',
      capabilities: getCapabilities(microphone),
      activity,
      audioLevels: levels.audioLevels,
      start: ({ scene, continues }) => command(() => engine.start(scene, input.get(), continues)),
      stop: () => command(() => engine.stop()),
      pause: () => command(() => engine.pause()),
      resume: () => command(() => engine.resume()),
      continue: () => command(() => engine.continue(input.get())),
    },
    microphone: {
      availability: () => microphone.availability(),
      inputs: () => microphone.inputs(),
      input,
      chooseInput(id) {
        if (id === null) localStorage.removeItem(INPUT_KEY);
        else localStorage.setItem(INPUT_KEY, id);
        input.set(id);
      },
      isCallNoticeRead,
      markCallNoticeRead() {
        localStorage.setItem(CALL_NOTICE_KEY, '');
        isCallNoticeRead.set(true);
      },
    },
    start: (uid) => engine.signedIn(uid).then(continueAfterReload).catch(onError),
    stop: () => engine.signingOut(),
    complete: (recordId) => void engine.complete(recordId).catch(onError),
  };
}
