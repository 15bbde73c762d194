/** The {@link Recorder} of this device's microphone. */
import { writable } from '@linnet/base';
import {
  type CommandOutcome,
  type Recorder,
  type RecorderActivity,
  type RecorderCapabilities,
  recorderCapabilities,
} from '@linnet/recorders';
import {
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
import { createLiveLevels } from './live-sound.ts';

/**
 * Local storage keys of this device's serial number as a recorder, of the chosen microphone, and of the notice that is
 * shown before the first call.
 */
const SERIAL_KEY = 'MICROPHONE_SERIAL';
const INPUT_KEY = 'MICROPHONE_INPUT';
const CALL_NOTICE_KEY = 'CALL_NOTICE_READ';

export type ThisDeviceOptions = Omit<MicrophoneRecorderOptions, 'serial' | 'onLevels'> & {
  /** Prevents this device from sleeping. @returns a function that allows it again */
  readonly keepAwake: () => () => void;
};

/** The microphone of this device as a recorder. */
export type ThisDevice = {
  readonly recorder: Recorder<RecorderFailure>;
  readonly microphone: MicrophoneService;
  /** This device's serial number as a recorder. */
  readonly serial: string;
  /** Offers to continue or complete a recording that was interrupted. */
  start(uid: string): void;
  /** Completes the recording in progress. */
  stop(): Promise<void>;
  /** Retries to create the files of a recording. */
  complete(recordId: string): void;
};

/** Returns the serial number of this device, which is created on the first call. */
function loadSerial(): string {
  const stored = localStorage.getItem(SERIAL_KEY);
  if (stored !== null) return stored;
  const serial = microphoneSerial();
  localStorage.setItem(SERIAL_KEY, serial);
  return serial;
}

function activityOf(now: MicrophoneRecorderState): RecorderActivity {
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

/** The capabilities in this browser. Where it cannot share audio, calls cannot be recorded. */
function capabilitiesOf({ sharesAudio }: Microphone): RecorderCapabilities {
  const all = recorderCapabilities['this-device'];
  if (sharesAudio) return all;
  return { ...all, sharesAudio, scenes: all.scenes.filter((scene) => scene !== 'call') };
}

function failureOf(error: unknown): RecorderFailure | null {
  if (error instanceof MicrophoneError) return { kind: 'microphone', code: error.code };
  return error instanceof StorageFull ? { kind: 'microphone', code: 'storage_full' } : null;
}

export function createThisDevice(options: ThisDeviceOptions): ThisDevice {
  const { onError } = options;
  const microphone: Microphone = options.microphone;
  const serial = loadSerial();
  const levels = createLiveLevels();
  const engine = new MicrophoneRecorder({ ...options, serial, onLevels: levels.add });
  const activity = writable(activityOf(engine.state.get()));
  const input = writable(localStorage.getItem(INPUT_KEY));
  const isCallNoticeRead = writable(localStorage.getItem(CALL_NOTICE_KEY) !== null);
  let allowSleep: (() => void) | null = null;

  engine.state.subscribe(() => {
    const now = activityOf(engine.state.get());
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
      const failure = failureOf(error);
      if (!failure) onError(error);
      return { ok: false, failure: failure ?? { kind: 'microphone', code: 'io_failed' } };
    }
  }

  return {
    serial,
    recorder: {
      kind: 'this-device',
      capabilities: capabilitiesOf(microphone),
      activity,
      sound: levels.sound,
      start: ({ scene }) => command(() => engine.start(scene, input.get())),
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
    start: (uid) => void engine.signedIn(uid).catch(onError),
    stop: () => engine.signingOut(),
    complete: (recordId) => void engine.complete(recordId).catch(onError),
  };
}
