/**
 * An Omi as a recorder: the record button records its live audio, and recordings that it stored while disconnected are
 * transferred.
 */
import { type Store, writable } from '@linnet/base';
import { type RememberedRecorder, TransportError } from '@linnet/device/transport';
import { OmiError, type OmiSession, openOmiSession } from '@linnet/omi';
import {
  type CommandOutcome,
  type Recorder,
  type RecorderActivity,
  recorderCapabilities,
} from '@linnet/recorders';
import {
  isOmiSerial,
  isOmiStoredSerial,
  MicrophoneError,
  MicrophoneRecorder,
  type MicrophoneRecorderOptions,
  type MicrophoneRecorderState,
  omiSerial,
  omiStoredSerial,
  type RetentionOptions,
  StorageFull,
} from '@linnet/sync';
import type { OmiService, OmiState } from '../../ports/omi.ts';
import type { RecorderFailure } from '../../ports/recorder.ts';
import type { Outcome } from '../../ports/store.ts';
import {
  createForeignLink,
  disconnectedState,
  type ForeignLink,
  type ForeignLinkOptions,
  type ForeignMaker,
} from '../foreign/foreign-link.ts';
import { notConnected } from '../recorder/failures.ts';
import { createLiveLevels } from '../recorder/live-audio.ts';
import { type ButtonMarkersOptions, createButtonMarkers } from './button-markers.ts';
import { createOmiCapture, type OmiCaptureOptions } from './capture.ts';
import type { GapMarkers } from './gap-markers.ts';
import { type KnownOmi, knownOmi } from './known-omi.ts';
import { createStoredSync, type StoredSync } from './stored-sync.ts';

type OmiLink = ForeignLink<OmiSession, KnownOmi>;

export type OmiOptions = ForeignLinkOptions &
  Omit<MicrophoneRecorderOptions, 'serial' | 'owns' | 'onLevels' | 'microphone' | 'source'> &
  Pick<OmiCaptureOptions, 'pack' | 'levels'> &
  Pick<ButtonMarkersOptions, 'mark'> &
  RetentionOptions & {
    readonly gaps: GapMarkers;
    /**
     * Keeps this device awake.
     * @returns a function that allows sleep again
     */
    readonly keepAwake: () => () => void;
  };

export type Omi = {
  readonly recorder: Recorder<RecorderFailure>;
  readonly service: OmiService;
  /** Connects to a discovered device, and stores it if it is an Omi. */
  add(found: RememberedRecorder): Promise<Outcome<'omi', RecorderFailure>>;
  start(uid: string): Promise<void>;
  /** Completes the recording in progress, and disconnects. */
  stop(): Promise<void>;
  /** Retries creating a recording's files. */
  complete(recordId: string): void;
  pageVisible(): void;
};

function toActivity(
  now: MicrophoneRecorderState,
  isConnected: boolean,
  lostAt: number | null,
): RecorderActivity {
  switch (now.status) {
    case 'idle':
      return { state: isConnected ? 'idle' : 'disconnected' };
    case 'starting':
    case 'finishing':
      return { state: now.status };
    case 'recording': {
      const { scene, startedAt, pausedAt, isSilent } = now;
      return {
        state: 'recording',
        running: {
          ...{ mode: 'normal', scene, startedAt, pausedAt, isSilent, sharing: 'none' },
          lostAt: isConnected ? null : lostAt,
        },
      };
    }
    case 'interrupted': {
      const { createDate, recordedMs, code } = now.recording;
      const reason = code === null ? 'restarted' : 'lost';
      return { state: 'interrupted', audio: { createDate, recordedMs, reason } };
    }
  }
}

function toOmiState(link: OmiLink, transfer: number | null): OmiState {
  const known = link.known();
  const now = link.state.get();
  if (!known || now.status === 'none') return { status: 'none' };
  const { name } = known;
  if (now.status !== 'connected') return { ...disconnectedState(now), name };
  const { info, power } = now.connection;
  return { status: 'connected', name, info, power: power.get(), transfer };
}

/** Returns the open session as a store. */
function watchSession(link: OmiLink): Store<OmiSession | null> {
  const session = writable(link.current());
  link.state.subscribe(() => {
    if (link.current() !== session.get()) session.set(link.current());
  });
  return session;
}

export function createOmi(options: OmiOptions): Omi {
  const { clock, onError } = options;
  const maker: ForeignMaker<OmiSession, KnownOmi> = {
    name: 'omi',
    devices: knownOmi,
    isReady: () => true,
    async openSession(gatt) {
      try {
        return await openOmiSession(gatt, clock.now);
      } catch (error) {
        // The app can't record with an unknown codec.
        if (error instanceof OmiError) throw new TransportError('unsupported', { cause: error });
        throw error;
      }
    },
    // The consent to delete recordings applies to one Omi only.
    replaced: (known) => ({ ...known, mayDelete: false }),
  };
  const link = createForeignLink(options, maker);
  const session = watchSession(link);
  const levels = createLiveLevels();
  const capture = createOmiCapture({ ...options, session, onGap: options.gaps.add });
  const deviceId = () => link.known()?.deviceId ?? '';
  const engine = new MicrophoneRecorder({
    ...options,
    microphone: capture,
    source: 'recorder',
    serial: () => omiSerial(deviceId()),
    // The Omi still has a stored recording whose transfer a crash interrupted, so it's read again.
    owns: (sn) => isOmiSerial(sn) && !isOmiStoredSerial(sn),
    onLevels: levels.add,
  });
  createButtonMarkers({
    ...options,
    session,
    position() {
      const now = engine.state.get();
      if (now.status !== 'recording') return null;
      return { recording: now.id, ms: (now.pausedAt ?? clock.now()) - now.startedAt };
    },
  });
  const stored: StoredSync = createStoredSync({
    ...options,
    session,
    serial: () => omiStoredSerial(deviceId()),
    owner: link.owner,
    mayDelete: () => link.known()?.mayDelete === true,
    isRecording: () => engine.state.get().status !== 'idle',
  });

  const state = writable<OmiState>({ status: 'none' });
  const activity = writable<RecorderActivity>({ state: 'disconnected' });
  const mayDelete = writable(false);
  let lostAt: number | null = null;
  const update = () => {
    mayDelete.set(link.known()?.mayDelete === true);
    const isConnected = session.get() !== null;
    lostAt = isConnected ? null : (lostAt ?? clock.now());
    state.set(toOmiState(link, stored.progress.get()));
    activity.set(toActivity(engine.state.get(), isConnected, lostAt));
  };
  let forgetPower = () => {};
  session.subscribe(() => {
    forgetPower();
    forgetPower = session.get()?.power.subscribe(update) ?? (() => {});
  });
  link.state.subscribe(update);
  stored.progress.subscribe(update);
  let allowSleep: (() => void) | null = null;
  engine.state.subscribe(() => {
    if (engine.state.get().status === 'recording') allowSleep ??= options.keepAwake();
    else {
      allowSleep?.();
      allowSleep = null;
      levels.reset();
      options.gaps.flush();
    }
    update();
    stored.wake();
  });
  for (const [kind, finder] of options.finders) {
    finder.onAvailabilityChange(({ status }) => link.adapterChanged(kind, status === 'ready'));
  }

  async function command(run: () => Promise<void>): Promise<CommandOutcome<RecorderFailure>> {
    try {
      await run();
      return { ok: true, data: null };
    } catch (error) {
      if (error instanceof MicrophoneError && error.code === 'not_found') return notConnected;
      if (error instanceof MicrophoneError) {
        return { ok: false, failure: { kind: 'microphone', code: error.code } };
      }
      if (!(error instanceof StorageFull)) onError(error);
      const code = error instanceof StorageFull ? 'storage_full' : 'io_failed';
      return { ok: false, failure: { kind: 'microphone', code } };
    }
  }

  return {
    recorder: {
      kind: 'omi',
      capabilities: recorderCapabilities.omi,
      activity,
      audioLevels: levels.audioLevels,
      start: ({ scene, continues }) => command(() => engine.start(scene, null, continues)),
      stop: () => command(() => engine.stop()),
      pause: () => command(() => engine.pause()),
      resume: () => command(() => engine.resume()),
      continue: () => command(() => engine.continue(null)),
    },
    service: {
      state,
      lostMs: capture.lostMs,
      mayDelete,
      setMayDelete(isAllowed) {
        const known = link.known();
        if (known) knownOmi.remember({ ...known, mayDelete: isAllowed });
        update();
      },
      reconnect: () => link.connect(true),
      disconnect: link.disconnect,
      forget: link.forget,
    },
    async add(found) {
      const added = await link.add((uid) => ({ ...found, name: found.name || 'Omi', uid }));
      return added.ok ? { ok: true, data: 'omi' } : added;
    },
    async start(uid) {
      await engine.signedIn(uid).catch(onError);
      link.setOwner(uid).catch(onError);
    },
    async stop() {
      await engine.signingOut();
      await link.setOwner(null);
      await stored.stop();
    },
    complete(recordId) {
      engine.complete(recordId).then(stored.complete).catch(onError);
    },
    pageVisible: link.pageVisible,
  };
}
