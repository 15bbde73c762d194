import { writable } from '@linnet/base';
import type { RecorderSession } from '@linnet/device/session';
import {
  type Availability,
  type RecorderCandidate,
  type RecorderFinder,
  TransportError,
} from '@linnet/device/transport';
import { isLocal, isTrans, NoRoom } from '@linnet/sync';
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
import { createLiveSound } from './live-sound.ts';
import { type RestingCopy, restingCopy } from './phone-copy.ts';
import {
  createRecorderLink,
  type RecorderLink,
  type RecorderLinkOptions,
} from './recorder-link.ts';
import { knownRecorders } from './remembered.ts';
import { createSettingsKeeper } from './settings-keeper.ts';
import { createTransfer } from './transfer.ts';

type TransportKind = RecorderTransport['kind'];

export type RecorderOptions = Omit<RecorderLinkOptions, 'phoneCopy' | 'onHeard'> & {
  /** The server's origin, where firmware is published. */
  readonly server: string;
  /** How loud packets of a recording are that came just now, 0–255 each. */
  readonly levels: (recordId: string, packets: Uint8Array) => Promise<Uint8Array>;
  /** Deletes a recording of which nothing is left: its owner deleted the last copy. */
  readonly deleteForGood: (recordId: string) => Promise<void>;
};

/** The recorder of the signed-in account. `start` and `stop` follow signing in and out. */
export type Recorder = {
  readonly service: RecorderService;
  start(uid: string): void;
  stop(): Promise<void>;
  /** Tells the connected recorder that it is nobody's any more; the server knows. */
  free(): Promise<void>;
  /** Keeps no key of a recorder on this phone; the account has them. */
  lock(uid: string): void;
  /** The page is looked at again: a recorder that is looked for is tried at once. */
  seen(): void;
  /** Re-checks which of the recorder's copies may be deleted. */
  storagePolicyChanged(): void;
  /** Reads a record's session again if its recorder is connected. */
  fetchAgain(recordId: string): void;
};

/** Finds, binds, connects and reconnects; every connection brings its sessions to the phone. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { client, records, finders, progress, onError, log } = options;
  const live = createLiveSound(options.levels, onError);
  const link = createRecorderLink({ ...options, phoneCopy, onHeard: live.hear });
  const transports = writable<readonly RecorderTransport[]>([]);
  const candidates = new Map<string, RecorderCandidate>();
  const firmware = createFirmware({ server: options.server, link, log, onError });
  const settings = createSettingsKeeper();
  const transfer = createTransfer({ link, records, progress, clock: options.clock, onError });
  /** dBm by device, of when it was last looked for. */
  const signals = writable<ReadonlyMap<string, number>>(new Map());
  const history = withSignal(link, signals);
  /** What the database says of each listed session. */
  const stored = new Map<string, RestingCopy>();

  async function updateTransports(): Promise<void> {
    const looked = [...finders].map(async ([kind, finder]) => ({
      kind,
      availability: withRemedy(await finder.availability(), finder),
    }));
    transports.set(await Promise.all(looked));
  }
  /** Number of subscribers to `transports`. */
  let transportListeners = 0;

  async function lookAtCopies(): Promise<void> {
    const listed = link.current()?.sync.sessions;
    if (!listed) return;
    const ids = listed.map(({ id }) => id);
    const [work, gone] = await Promise.all([records.work(ids), records.tombstones(ids)]);
    for (const id of ids) stored.set(id, restingCopy(work.get(id), gone.has(id)));
    link.current()?.refreshSessions();
  }

  function phoneCopy(id: string): RecorderSessionRow['onPhone'] {
    const moving = progress.get().get(id);
    // Preparing makes the playable file of what came over: the last of the way.
    if (moving?.step === 'prepare') return { status: 'moving', percent: 99 };
    return moving?.step === 'fetch'
      ? { status: 'moving', percent: Math.min(99, Math.round(moving.fraction * 100)) }
      : { status: stored.get(id) ?? restingCopy(undefined, false) };
  }

  /** Whether nothing of a recording is left: no sound anywhere that could be heard, and no transcript. */
  async function isNowhere(id: string): Promise<boolean> {
    const record = await records.detail(id);
    if (!record || record.is_local === isLocal.onServer || record.is_trans === isTrans.translated) {
      return false;
    }
    const { recorder, phone, cloud } = record.copies;
    const isRead = phone.status === 'whole' || phone.status === 'verified';
    return recorder.status === 'absent' && !isRead && cloud.status === 'absent';
  }

  let recording = 0;
  link.state.subscribe(() => {
    const now = link.state.get();
    const begun = now.status === 'connected' ? now.recorder.recording : null;
    if (begun?.state !== 'recording' || begun.sessionId === recording) return;
    recording = begun.sessionId;
    live.forget();
  });
  records.subscribe(() => void lookAtCopies().catch(onError));
  // Of what was listed first, no change in the database tells.
  let looking = false;
  link.state.subscribe(() => {
    const listed = link.current()?.sync.sessions ?? [];
    if (looking || listed.every(({ id }) => stored.has(id))) return;
    looking = true;
    lookAtCopies()
      .catch(onError)
      .finally(() => {
        looking = false;
      });
  });
  progress.subscribe(() => link.current()?.refreshSessions());

  /** Ends with the radio: the specification has a search cancelled when it goes. */
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

  /** Tells the recorder what to do with a recording, and looks what it did. */
  function order(give: (session: RecorderSession) => Promise<unknown>) {
    return whenConnected(async ({ session, readStatusSoon }) => {
      const outcome = await attemptRecording(() => give(session));
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
    startRecording: (what) => order((session) => session.startRecording(what)),
    stopRecording: () => order((session) => session.stopRecording()),
    pauseRecording: () => order((session) => session.pauseRecording()),
    resumeRecording: () => order((session) => session.restoreRecording()),
    listSessions: () =>
      whenConnected(({ sync }) =>
        // What lies on the recorder is listed all the same.
        attempt(() => sync.refresh().then(() => null, unlessFull)),
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
          // It is gone from the recorder all the same; the next list has it written down.
          const id = await sync.deleteOnRecorder(sessionId).catch(unlessFull);
          if (id !== null && (await isNowhere(id))) {
            await options.deleteForGood(id).catch(unlessFull);
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
    seen() {
      // Settings of the system may have been changed meanwhile.
      if (transportListeners > 0) void updateTransports();
      link.seen();
    },
    async free() {
      const freed = await whenConnected(({ session }) => attempt(() => session.unbind()));
      // One that is not here, or does not answer, is free all the same: the server lets others bind it.
      if (!freed.ok) log('unbind.not_told', { kind: freed.failure.kind });
    },
    lock: knownRecorders.lock,
    storagePolicyChanged: () => link.current()?.sync.look(),
    fetchAgain(recordId) {
      const listed = link.current()?.sync.sessions?.find(({ id }) => id === recordId);
      if (listed) link.current()?.sync.request([listed.item.sessionId]);
    },
  };
}

/** A full phone says so by itself. */
function unlessFull(error: unknown): null {
  if (error instanceof NoRoom) return null;
  throw error;
}

/** The link's history, with how strong the recorder was heard. */
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
