/**
 * The recorder service behind the pages. Searches for recorders, forwards commands to the open connection, and combines
 * the link's state with the phone's copies. `recorder-link.ts` opens and reopens the connection.
 */
import { writable } from '@linnet/base';
import {
  type Availability,
  type RecorderCandidate,
  type RecorderFinder,
  type RememberedRecorder,
  TransportError,
} from '@linnet/device/transport';
import { isLocal, isTrans, StorageFull } from '@linnet/sync';
import type {
  AddedKind,
  FoundRecorder,
  LinkHistory,
  RecorderFailure,
  RecorderService,
  RecorderSessionRow,
  RecorderTransport,
  TransportRemedy,
} from '../../ports/recorder.ts';
import type { Outcome, Store } from '../../ports/store.ts';
import { bindRecorder, forgetRecorder, unbindRecorder } from './binding.ts';
import type { Connection } from './connection.ts';
import { attempt, attemptRecording, notConnected } from './failures.ts';
import { createFirmware } from './firmware.ts';
import { knownRecorders } from './known-recorders.ts';
import { createLiveAudioMeter } from './live-audio.ts';
import { type PhoneCopyStatus, phoneCopyStatus } from './phone-copy.ts';
import {
  createRecorderLink,
  type RecorderLink,
  type RecorderLinkOptions,
} from './recorder-link.ts';
import { createSettingsWriter } from './settings-writer.ts';
import { createTransfer } from './transfer.ts';

type TransportKind = RecorderTransport['kind'];

export type RecorderOptions = Omit<RecorderLinkOptions, 'phoneCopy' | 'onLiveChunk'> & {
  /** The server's origin, which also publishes firmware. */
  readonly server: string;
  /** Returns the loudness of each received packet, 0–255. */
  readonly levels: (recordId: string, packets: Uint8Array) => Promise<Uint8Array>;
  /** Adds a discovered recorder that doesn't use the Linnet protocol. */
  readonly addOther?: (found: RememberedRecorder) => Promise<Outcome<AddedKind, RecorderFailure>>;
  /** Permanently deletes a recording once the user has deleted its last copy. */
  readonly deletePermanently: (recordId: string) => Promise<void>;
};

/** The signed-in account's recorder. Call `start` after sign-in and `stop` before sign-out. */
export type Recorder = {
  readonly service: RecorderService;
  start(uid: string): void;
  stop(): Promise<void>;
  /** Unbinds the connected recorder. Call it after the server has released the binding. */
  unbindConnected(): Promise<void>;
  /** Deletes the account's recorder keys from this phone. The server keeps them. */
  removeKeys(uid: string): void;
  /** Starts a pending reconnection immediately. Call it when the page becomes visible. */
  pageVisible(): void;
  /** Rechecks which sessions may be deleted from the recorder under the storage policy. */
  storagePolicyChanged(): void;
  /** Retries a recording's transfer from the recorder, if that recorder is connected. */
  refetch(recordId: string): void;
};

export function createRecorder(options: RecorderOptions): Recorder {
  const { client, records, finders, progress, onError, log } = options;
  const liveAudio = createLiveAudioMeter(options.levels, onError);
  const link = createRecorderLink({ ...options, phoneCopy, onLiveChunk: liveAudio.add });
  const transports = writable<readonly RecorderTransport[]>([]);
  const candidates = new Map<string, RecorderCandidate>();
  const firmware = createFirmware({ server: options.server, link, log, onError });
  const settings = createSettingsWriter();
  const transfer = createTransfer({ link, records, progress, clock: options.clock, onError });
  /** Each device's signal strength in dBm, as measured by the last search. */
  const signals = writable<ReadonlyMap<string, number>>(new Map());
  const history = withSignal(link, signals);
  /** The status of the phone's copy of each listed session according to the database, keyed by record ID. */
  const storedStatuses = new Map<string, PhoneCopyStatus>();

  async function updateTransports(): Promise<void> {
    const availabilities = [...finders].map(async ([kind, finder]) => ({
      kind,
      availability: withRemedy(await finder.availability(), finder),
    }));
    transports.set(await Promise.all(availabilities));
  }
  let transportListenerCount = 0;

  async function updateCopies(): Promise<void> {
    const sessions = link.current()?.sync.sessions;
    if (!sessions) return;
    const ids = sessions.map(({ id }) => id);
    const [workById, deletedIds] = await Promise.all([records.work(ids), records.tombstones(ids)]);
    for (const id of ids) {
      storedStatuses.set(id, phoneCopyStatus(workById.get(id), deletedIds.has(id)));
    }
    link.current()?.refreshSessions();
  }

  function phoneCopy(id: string): RecorderSessionRow['onPhone'] {
    const transferProgress = progress.get().get(id);
    // All bytes have been transferred; the playable file is being written.
    if (transferProgress?.step === 'prepare') return { status: 'transferring', percent: 99 };
    if (transferProgress?.step === 'fetch') {
      const percent = Math.min(99, Math.round(transferProgress.fraction * 100));
      return { status: 'transferring', percent };
    }
    return { status: storedStatuses.get(id) ?? phoneCopyStatus(undefined, false) };
  }

  /** Returns whether a recording has no playable audio and no transcript, on any device or the server. */
  async function hasNoCopy(id: string): Promise<boolean> {
    const record = await records.detail(id);
    if (!record || record.is_local === isLocal.onServer || record.is_trans === isTrans.translated) {
      return false;
    }
    const { recorder, phone, cloud } = record.copies;
    const isOnPhone = phone.status === 'whole' || phone.status === 'verified';
    return recorder.status === 'absent' && !isOnPhone && cloud.status === 'absent';
  }

  let liveSessionId = 0;
  link.state.subscribe(() => {
    const state = link.state.get();
    const recording = state.status === 'connected' ? state.recorder.recording : null;
    if (recording?.state !== 'recording' || recording.sessionId === liveSessionId) return;
    liveSessionId = recording.sessionId;
    liveAudio.reset();
  });
  records.subscribe(() => void updateCopies().catch(onError));
  // Update the copies here too: if a new session list changes no record, the database doesn't notify its subscribers.
  let isUpdatingCopies = false;
  link.state.subscribe(() => {
    const sessions = link.current()?.sync.sessions ?? [];
    if (isUpdatingCopies || sessions.every(({ id }) => storedStatuses.has(id))) return;
    isUpdatingCopies = true;
    updateCopies()
      .catch(onError)
      .finally(() => {
        isUpdatingCopies = false;
      });
  });
  progress.subscribe(() => link.current()?.refreshSessions());

  /** Aborts the current search. The specification requires this when Bluetooth is turned off. */
  let search = new AbortController();
  for (const [kind, finder] of finders) {
    finder.onAvailabilityChange(({ status }) => {
      if (transportListenerCount > 0) void updateTransports();
      if (status !== 'ready') search.abort(new TransportError('radio_off'));
      link.adapterChanged(kind, status === 'ready');
    });
  }

  async function whenConnected<T = null>(
    operation: (connection: Connection) => Promise<Outcome<T, RecorderFailure>>,
  ): Promise<Outcome<T, RecorderFailure>> {
    const connection = link.current();
    return connection ? operation(connection) : notConnected;
  }

  /** Sends a recording command to the recorder and schedules a read of its status. */
  function sendCommand(command: (connection: Connection) => Promise<unknown>) {
    return whenConnected(async (connection) => {
      const outcome = await attemptRecording(() => command(connection));
      connection.readStatusSoon();
      return outcome;
    });
  }

  /** Searches for recorders and stores the results for `bind`. */
  async function findCandidates(
    kind: TransportKind,
    find: (finder: RecorderFinder, signal: AbortSignal) => Promise<readonly RecorderCandidate[]>,
  ): Promise<Outcome<readonly FoundRecorder[], RecorderFailure>> {
    const finder = finders.get(kind);
    if (!finder) return { ok: false, failure: { kind: 'device', code: 'unsupported' } };
    search = new AbortController();
    const { signal } = search;
    const result = await attempt(() => find(finder, signal));
    if (!result.ok) return result;
    for (const candidate of result.data) {
      candidates.set(candidateKey(candidate), candidate);
      const { rssi } = candidate.advertisement;
      if (rssi !== undefined) signals.set(new Map(signals.get()).set(candidate.deviceId, rssi));
    }
    return { ok: true, data: result.data.map((candidate) => toFoundRecorder(kind, candidate)) };
  }

  const service: RecorderService = {
    link: link.state,
    history,
    audioLevels: liveAudio.audioLevels,
    transports: {
      get: transports.get,
      subscribe(listener) {
        transportListenerCount += 1;
        void updateTransports();
        const unsubscribe = transports.subscribe(listener);
        return () => {
          transportListenerCount -= 1;
          unsubscribe();
        };
      },
    },
    async applyRemedy(kind, remedy) {
      const outcome = await attempt(
        async () => (await finders.get(kind)?.remedy?.(remedy)) ?? null,
      );
      void updateTransports();
      return outcome;
    },
    find: (kind) => findCandidates(kind, (finder, signal) => finder.find({ signal })),
    findAt: (address) =>
      findCandidates('websocket', async (finder, signal) => {
        if (!finder.findAt) throw new TransportError('unsupported');
        return [await finder.findAt(address, { signal })];
      }),
    async bind(found, onStep) {
      const candidate = candidates.get(candidateKey(found));
      if (!candidate) return notConnected;
      const bound = await bindRecorder({ client, link, log }, candidate, onStep);
      if (bound.ok) return { ok: true, data: 'linnet' };
      const isOther = bound.failure.kind === 'device' && bound.failure.code === 'not_a_recorder';
      if (!isOther || !options.addOther) return bound;
      const { kind, deviceId, advertisement } = candidate;
      const added = await options.addOther({ kind, deviceId, name: advertisement.name });
      if (added.ok) onStep('done');
      return added;
    },
    known: () => {
      const owner = link.owner();
      const recorders = owner === null ? [] : knownRecorders.lastUsedFirst(owner);
      return recorders.map(({ sn, name, kind }) => ({ sn, name, kind: kind as TransportKind }));
    },
    async boundNames() {
      const result = await client.call('device/index');
      if (!result.ok) return result;
      return { ok: true, data: result.data.list.map(({ sn, name }) => name || sn) };
    },
    reconnect: (sn) => link.connect({ isUserInitiated: true, sn: sn ?? null }),
    disconnect: link.disconnect,
    unbind: () => unbindRecorder(client, link),
    forget: (sn) => forgetRecorder(client, link, sn),
    startRecording: (type) => sendCommand(({ session }) => session.startRecording(type)),
    stopRecording: () => sendCommand(({ session }) => session.stopRecording()),
    pauseRecording: () =>
      sendCommand(({ session, runOptional }) =>
        runOptional('pauses', () => session.pauseRecording()),
      ),
    resumeRecording: () =>
      sendCommand(({ session, runOptional }) =>
        runOptional('pauses', () => session.restoreRecording()),
      ),
    listSessions: () =>
      whenConnected(({ sync }) =>
        // If storage is full, the list can't be saved, but it can still be shown.
        attempt(() => sync.refresh().then(() => null, ignoreStorageFull)),
      ),
    transfer: transfer.service,
    leaveHotspot: link.closeWifi,
    changeSettings: (change) => whenConnected((connection) => settings.change(connection, change)),
    readUsage: () =>
      whenConnected(({ session, view }) =>
        attempt(async () => {
          const usage = await session.usage();
          view.set({ ...view.get(), usage });
          return null;
        }),
      ),
    readOperations: () =>
      whenConnected(({ session, runOptional }) =>
        attempt(async () =>
          (await runOptional('keepsLog', () => session.operations())).toReversed(),
        ),
      ),
    firmware: firmware.service,
    fetchSessions: (sessionIds) => link.current()?.sync.request(sessionIds),
    deleteSession: (sessionId) =>
      whenConnected(({ sync }) =>
        attempt(async () => {
          // If storage is full, the recorder still deletes the session, and the next session list updates the database.
          const id = await sync.deleteOnRecorder(sessionId).catch(ignoreStorageFull);
          if (id !== null && (await hasNoCopy(id))) {
            await options.deletePermanently(id).catch(ignoreStorageFull);
          }
          return null;
        }),
      ),
  };

  return {
    service,
    start(uid) {
      link.setOwner(uid);
      void link.connect({ isUserInitiated: false }).catch(onError);
    },
    async stop() {
      firmware.forget();
      transfer.forget();
      await link.disconnect();
      link.setOwner(null);
    },
    pageVisible() {
      // The user may have changed system settings while the page was hidden.
      if (transportListenerCount > 0) void updateTransports();
      link.pageVisible();
    },
    async unbindConnected() {
      const unbound = await whenConnected(({ session }) => attempt(() => session.unbind()));
      // The server has already released the binding, so nothing else is needed to free the recorder.
      if (!unbound.ok) log('unbind.recorder_unreachable', { kind: unbound.failure.kind });
    },
    removeKeys: knownRecorders.removeKeys,
    storagePolicyChanged: () => link.current()?.sync.recheck(),
    refetch(recordId) {
      const sync = link.current()?.sync;
      const session = sync?.sessions?.find(({ id }) => id === recordId);
      if (session) sync?.request([session.item.sessionId]);
    },
  };
}

function candidateKey({ kind, deviceId }: { kind: string; deviceId: string }): string {
  return `${kind}/${deviceId}`;
}

/** Ignores a StorageFull error, which the `diskSpace` store already reports. Rethrows anything else. */
function ignoreStorageFull(error: unknown): null {
  if (error instanceof StorageFull) return null;
  throw error;
}

/** Adds the connected recorder's signal strength to the link's history. */
function withSignal(
  link: RecorderLink,
  signals: Store<ReadonlyMap<string, number>>,
): Store<LinkHistory> {
  const deviceId = () => link.current()?.session.deviceId ?? '';
  const read = () => ({
    ...link.history.get(),
    signal: signals.get().get(deviceId()) ?? null,
  });
  const history = writable<LinkHistory>(read());
  for (const source of [link.history, signals]) source.subscribe(() => history.set(read()));
  return history;
}

const remedyFor: Readonly<Record<string, TransportRemedy>> = {
  radio_off: 'switch_on',
  permission_denied: 'app_settings',
};

function withRemedy(
  availability: Availability,
  { remedies = [] }: RecorderFinder,
): RecorderTransport['availability'] {
  if (availability.status === 'ready') return availability;
  const remedy = remedyFor[availability.code];
  return { ...availability, remedy: remedy && remedies.includes(remedy) ? remedy : null };
}

function toFoundRecorder(
  kind: TransportKind,
  { deviceId, advertisement, controls }: RecorderCandidate,
): FoundRecorder {
  const { name, sn, rssi, extendInfo } = advertisement;
  return {
    kind,
    deviceId,
    name,
    sn: sn ?? extendInfo?.sn ?? null,
    rssi: rssi ?? null,
    bound: extendInfo?.isBind ?? null,
    controls: controls ?? null,
  };
}
