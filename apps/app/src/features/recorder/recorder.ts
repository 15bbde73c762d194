import { writable } from '@linnet/base';
import type { RecorderSession } from '@linnet/device/session';
import {
  type Availability,
  type RecorderCandidate,
  type RecorderFinder,
  TransportError,
} from '@linnet/device/transport';
import { isLocal, isTrans, StorageFull } from '@linnet/sync';
import type {
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
import { createLiveSound } from './live-sound.ts';
import { type RestingCopy, restingCopy } from './phone-copy.ts';
import {
  createRecorderLink,
  type RecorderLink,
  type RecorderLinkOptions,
} from './recorder-link.ts';
import { createSettingsWriter } from './settings-writer.ts';
import { createTransfer } from './transfer.ts';

type TransportKind = RecorderTransport['kind'];

export type RecorderOptions = Omit<RecorderLinkOptions, 'phoneCopy' | 'onLiveChunk'> & {
  /** The server's origin, which publishes firmware. */
  readonly server: string;
  /** Measures the loudness of newly received packets, 0–255 each. */
  readonly levels: (recordId: string, packets: Uint8Array) => Promise<Uint8Array>;
  /** Permanently deletes a recording whose last copy the user has deleted. */
  readonly deleteForGood: (recordId: string) => Promise<void>;
};

/** The recorder of the signed-in account. `start` and `stop` follow signing in and out. */
export type Recorder = {
  readonly service: RecorderService;
  start(uid: string): void;
  stop(): Promise<void>;
  /** Unbinds the connected recorder after the server has unbound it. */
  unbindConnected(): Promise<void>;
  /** Removes the account's recorder keys from this phone. They remain on the server. */
  removeKeys(uid: string): void;
  /** Called when the page becomes visible; a pending reconnection starts immediately. */
  pageVisible(): void;
  /** Re-checks which of the recorder's copies may be deleted. */
  storagePolicyChanged(): void;
  /** Reads a record's session again if its recorder is connected. */
  refetch(recordId: string): void;
};

/** Finds, binds, connects and reconnects recorders; every connection transfers its sessions to the phone. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { client, records, finders, progress, onError, log } = options;
  const live = createLiveSound(options.levels, onError);
  const link = createRecorderLink({ ...options, phoneCopy, onLiveChunk: live.add });
  const transports = writable<readonly RecorderTransport[]>([]);
  const candidates = new Map<string, RecorderCandidate>();
  const firmware = createFirmware({ server: options.server, link, log, onError });
  const settings = createSettingsWriter();
  const transfer = createTransfer({ link, records, progress, clock: options.clock, onError });
  /** dBm by device, as of the last search. */
  const signals = writable<ReadonlyMap<string, number>>(new Map());
  const history = withSignal(link, signals);
  /** State of each listed session in the database. */
  const stored = new Map<string, RestingCopy>();

  async function updateTransports(): Promise<void> {
    const checked = [...finders].map(async ([kind, finder]) => ({
      kind,
      availability: withRemedy(await finder.availability(), finder),
    }));
    transports.set(await Promise.all(checked));
  }
  /** Number of subscribers to `transports`. */
  let transportListeners = 0;

  async function updateCopies(): Promise<void> {
    const listed = link.current()?.sync.sessions;
    if (!listed) return;
    const ids = listed.map(({ id }) => id);
    const [work, gone] = await Promise.all([records.work(ids), records.tombstones(ids)]);
    for (const id of ids) stored.set(id, restingCopy(work.get(id), gone.has(id)));
    link.current()?.refreshSessions();
  }

  function phoneCopy(id: string): RecorderSessionRow['onPhone'] {
    const moving = progress.get().get(id);
    // `prepare` makes the playable file at the end of a transfer.
    if (moving?.step === 'prepare') return { status: 'moving', percent: 99 };
    return moving?.step === 'fetch'
      ? { status: 'moving', percent: Math.min(99, Math.round(moving.fraction * 100)) }
      : { status: stored.get(id) ?? restingCopy(undefined, false) };
  }

  /** Whether a recording has neither playable audio nor a transcript in any location. */
  async function hasNoCopy(id: string): Promise<boolean> {
    const record = await records.detail(id);
    if (!record || record.is_local === isLocal.onServer || record.is_trans === isTrans.translated) {
      return false;
    }
    const { recorder, phone, cloud } = record.copies;
    const isOnPhone = phone.status === 'whole' || phone.status === 'verified';
    return recorder.status === 'absent' && !isOnPhone && cloud.status === 'absent';
  }

  let recording = 0;
  link.state.subscribe(() => {
    const now = link.state.get();
    const begun = now.status === 'connected' ? now.recorder.recording : null;
    if (begun?.state !== 'recording' || begun.sessionId === recording) return;
    recording = begun.sessionId;
    live.reset();
  });
  records.subscribe(() => void updateCopies().catch(onError));
  // The database sends no notification for a session list without changes.
  let isUpdatingCopies = false;
  link.state.subscribe(() => {
    const listed = link.current()?.sync.sessions ?? [];
    if (isUpdatingCopies || listed.every(({ id }) => stored.has(id))) return;
    isUpdatingCopies = true;
    updateCopies()
      .catch(onError)
      .finally(() => {
        isUpdatingCopies = false;
      });
  });
  progress.subscribe(() => link.current()?.refreshSessions());

  /** The current search; as specified, it aborts when Bluetooth is turned off. */
  let search = new AbortController();
  for (const [kind, finder] of finders) {
    finder.onAvailabilityChange(({ status }) => {
      if (transportListeners > 0) void updateTransports();
      if (status !== 'ready') search.abort(new TransportError('radio_off'));
      link.adapterChanged(kind, status === 'ready');
    });
  }

  async function whenConnected<T = null>(
    work: (connection: Connection) => Promise<Outcome<T, RecorderFailure>>,
  ): Promise<Outcome<T, RecorderFailure>> {
    const connection = link.current();
    return connection ? work(connection) : notConnected;
  }

  /** Sends a recording command to the recorder, and reads its status afterwards. */
  function command(run: (session: RecorderSession) => Promise<unknown>) {
    return whenConnected(async ({ session, readStatusSoon }) => {
      const outcome = await attemptRecording(() => run(session));
      readStatusSoon();
      return outcome;
    });
  }

  const service: RecorderService = {
    link: link.state,
    history,
    sound: live.sound,
    transports: {
      get: transports.get,
      subscribe(listener) {
        transportListeners += 1;
        void updateTransports();
        const unsubscribe = transports.subscribe(listener);
        return () => {
          transportListeners -= 1;
          unsubscribe();
        };
      },
    },
    async remedy(kind, remedy) {
      const outcome = await attempt(
        async () => (await finders.get(kind)?.remedy?.(remedy)) ?? null,
      );
      void updateTransports();
      return outcome;
    },
    async find(kind) {
      const finder = finders.get(kind);
      if (!finder) return { ok: false, failure: { kind: 'device', code: 'unsupported' } };
      search = new AbortController();
      const { signal } = search;
      const found = await attempt(() => finder.find({ signal }));
      if (!found.ok) return found;
      for (const candidate of found.data) {
        candidates.set(`${candidate.kind}/${candidate.deviceId}`, candidate);
        const { rssi } = candidate.advertisement;
        if (rssi !== undefined) signals.set(new Map(signals.get()).set(candidate.deviceId, rssi));
      }
      return { ok: true, data: found.data.map((candidate) => toFound(kind, candidate)) };
    },
    async bind(found, onStep) {
      const candidate = candidates.get(`${found.kind}/${found.deviceId}`);
      if (!candidate) return notConnected;
      return bindRecorder({ client, link, log }, candidate, onStep);
    },
    known: () => {
      const owner = link.owner();
      const known = owner === null ? [] : knownRecorders.lastUsedFirst(owner);
      return known.map(({ sn, name }) => ({ sn, name }));
    },
    reconnect: (sn) => link.connect({ byTap: true, sn: sn ?? null }),
    disconnect: link.disconnect,
    unbind: () => unbindRecorder(client, link),
    forget: (sn) => forgetRecorder(client, link, sn),
    startRecording: (what) => command((session) => session.startRecording(what)),
    stopRecording: () => command((session) => session.stopRecording()),
    pauseRecording: () => command((session) => session.pauseRecording()),
    resumeRecording: () => command((session) => session.restoreRecording()),
    listSessions: () =>
      whenConnected(({ sync }) =>
        // Full storage prevents saving the list, but not showing it.
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
      whenConnected(({ session }) =>
        attempt(async () => (await session.operations()).toReversed()),
      ),
    firmware: firmware.service,
    fetchSessions: (sessionIds) => link.current()?.sync.request(sessionIds),
    deleteSession: (sessionId) =>
      whenConnected(({ sync }) =>
        attempt(async () => {
          // Full storage does not prevent the deletion on the recorder; the next list updates the database.
          const id = await sync.deleteOnRecorder(sessionId).catch(ignoreStorageFull);
          if (id !== null && (await hasNoCopy(id))) {
            await options.deleteForGood(id).catch(ignoreStorageFull);
          }
          return null;
        }),
      ),
  };

  return {
    service,
    start(uid) {
      link.setOwner(uid);
      void link.connect({ byTap: false }).catch(onError);
    },
    async stop() {
      firmware.forget();
      transfer.forget();
      await link.disconnect();
      link.setOwner(null);
    },
    pageVisible() {
      // The user may have changed system settings while the page was hidden.
      if (transportListeners > 0) void updateTransports();
      link.pageVisible();
    },
    async unbindConnected() {
      const unbound = await whenConnected(({ session }) => attempt(() => session.unbind()));
      // Not an error: the server has released the recorder already.
      if (!unbound.ok) log('unbind.recorder_unreachable', { kind: unbound.failure.kind });
    },
    removeKeys: knownRecorders.removeKeys,
    storagePolicyChanged: () => link.current()?.sync.recheck(),
    refetch(recordId) {
      const listed = link.current()?.sync.sessions?.find(({ id }) => id === recordId);
      if (listed) link.current()?.sync.request([listed.item.sessionId]);
    },
  };
}

/** Ignores full storage, which `diskSpace` reports; rethrows other errors. */
function ignoreStorageFull(error: unknown): null {
  if (error instanceof StorageFull) return null;
  throw error;
}

/** The link's history, with the recorder's signal strength. */
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

function toFound(
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
