import type { Client } from '@linnet/contract/client';
import { DeviceError, openRecorderSession, type RecorderSession } from '@linnet/device/session';
import {
  type RecorderCandidate,
  type RecorderFinder,
  type Transport,
  TransportError,
} from '@linnet/device/transport';
import {
  type AudioStore,
  defaultSaveSetting,
  type Log,
  type ProgressBoard,
  RecorderSync,
  type RecordStore,
} from '@linnet/sync';
import type {
  BindStep,
  FoundRecorder,
  LinkState,
  Outcome,
  RecorderFailure,
  RecorderService,
  RecorderSessionRow,
  RecorderWay,
} from '../../services.ts';
import { writable } from '../../stores.ts';
import { type Connection, createConnection } from './connection.ts';
import { attempt, attemptRecording, notConnected, serverFailure } from './failures.ts';
import { type KnownRecorder, knownRecorders } from './remembered.ts';

/** Milliseconds between tries to reach a recorder that was lost; the last one repeats. */
const RECONNECT_MS = [500, 1000, 2000, 5000, 10_000, 30_000] as const;

type WayKind = RecorderWay['kind'];
type StoredCopy = Exclude<RecorderSessionRow['onPhone']['status'], 'moving'>;
type Why = Extract<LinkState, { status: 'idle' }>['why'];

export type RecorderOptions = {
  readonly client: Client;
  readonly records: RecordStore;
  readonly audio: AudioStore;
  readonly progress: ProgressBoard;
  readonly finders: ReadonlyMap<WayKind, RecorderFinder>;
  readonly onStored: () => void;
  readonly storagePersists: () => boolean;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

/** The recorder of the signed-in account. `start` and `stop` follow signing in and out. */
export type Recorder = {
  readonly service: RecorderService;
  start(uid: string): void;
  stop(): Promise<void>;
  /** Reads a record's session again if its recorder is connected. */
  fetchAgain(recordId: string): void;
};

/** Finds, binds, connects and reconnects; every connection brings its sessions to the phone. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { client, records, finders, progress, onError, log } = options;
  const link = writable<LinkState>({ status: 'none' });
  const ways = writable<readonly RecorderWay[]>([]);
  const candidates = new Map<string, RecorderCandidate>();
  let uid: string | null = null;
  let current: Connection | null = null;
  let stopSync = new AbortController();
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  /** What the database says of each listed session. */
  const stored = new Map<string, StoredCopy>();

  async function lookAtWays(): Promise<void> {
    const kinds = [...finders.keys()];
    const found = await Promise.all([...finders.values()].map((finder) => finder.availability()));
    ways.set(
      kinds.map((kind, index) => ({
        kind,
        availability: found[index] as RecorderWay['availability'],
      })),
    );
  }

  function setIdle(why: Why): void {
    const known = uid === null ? null : knownRecorders.latest(uid);
    link.set(known ? { status: 'idle', name: known.name, why } : { status: 'none' });
  }

  // Connecting --------------------------------------------------------------------------------------

  /** Makes a fresh link the current connection and starts bringing its sessions over. */
  async function adopt(session: RecorderSession, owner: string, name: string): Promise<void> {
    const status = await session.status();
    const sync = new RecorderSync({
      session,
      uid: owner,
      records,
      audio: options.audio,
      progress,
      saveSetting: () => defaultSaveSetting,
      storagePersists: options.storagePersists,
      onStored: () => {
        options.onStored();
        connection.readStatus().catch(onError);
      },
      log,
    });
    const connection = createConnection({
      session,
      sync,
      status,
      phoneCopy,
      onError: ignoreLostLink,
    });
    current = connection;
    tries = 0;
    const show = () => {
      if (current === connection) {
        link.set({ status: 'connected', name, recorder: connection.view.get() });
      }
    };
    connection.view.subscribe(show);
    show();
    stopSync = new AbortController();
    session.onClosed((reason) => {
      if (current !== connection) return;
      current = null;
      log('link.closed', { reason });
      if (reason === 'closed_by_us') return;
      setIdle(reason === 'radio_off' ? 'radio_off' : 'lost');
      if (reason === 'link_lost') retryLater();
    });
    void runSync(connection, stopSync.signal);
  }

  /** The sync ends by itself only when the link is of no use: then it is opened anew. */
  async function runSync({ sync, session }: Connection, signal: AbortSignal): Promise<void> {
    try {
      await sync.run(signal);
    } catch (error) {
      onError(error);
    }
    if (signal.aborted || current?.session !== session) return;
    current = null;
    await session.close();
    setIdle('lost');
    retryLater();
  }

  function ignoreLostLink(error: unknown): void {
    const lost =
      error instanceof DeviceError && (error.code === 'link_lost' || error.code === 'timeout');
    if (!lost) onError(error);
  }

  function retryLater(): void {
    const step = Math.min(tries++, RECONNECT_MS.length - 1);
    clearTimeout(retryTimer);
    retryTimer = setTimeout(() => void connectRemembered('quiet'), RECONNECT_MS[step]);
  }

  async function reopen(known: KnownRecorder, byTap: boolean): Promise<Transport> {
    const finder = finders.get(known.kind as WayKind);
    if (!finder) throw new TransportError('unsupported');
    try {
      return await finder.reopen(known);
    } catch (error) {
      const askOwner = byTap && error instanceof TransportError && error.code === 'chooser_needed';
      if (!askOwner) throw error;
      const [chosen] = await finder.find();
      if (!chosen) throw new TransportError('not_found');
      return chosen.connect();
    }
  }

  /** @param mode `tap` may open the browser's chooser; `quiet` goes on trying by itself */
  async function connectRemembered(mode: 'tap' | 'quiet'): Promise<Outcome<null, RecorderFailure>> {
    const owner = uid;
    const known = owner === null ? null : knownRecorders.latest(owner);
    if (owner === null || !known) return notConnected;
    if (current || link.get().status === 'connecting') return { ok: true, data: null };
    clearTimeout(retryTimer);
    link.set({ status: 'connecting', name: known.name });
    const outcome = await attempt(async () => {
      const session = await openRecorderSession(await reopen(known, mode === 'tap'));
      if (uid !== owner || session.info.sn !== known.sn) {
        await session.close();
        throw new TransportError('not_found');
      }
      await adopt(session, owner, known.name);
      return null;
    });
    if (outcome.ok) return outcome;
    const code = outcome.failure.kind === 'device' ? outcome.failure.code : '';
    log('link.failed', { code });
    setIdle(whyIdle(code));
    // A tap or the radio's return starts over; everything else may pass by itself.
    if (code !== 'chooser_needed' && code !== 'radio_off') retryLater();
    return outcome;
  }

  // Binding -----------------------------------------------------------------------------------------

  async function bind(
    found: FoundRecorder,
    onStep: (step: BindStep) => void,
  ): Promise<Outcome<null, RecorderFailure>> {
    const owner = uid;
    const candidate = candidates.get(`${found.kind}/${found.deviceId}`);
    if (owner === null || !candidate) return notConnected;
    onStep('connecting');
    await disconnect();
    const opened = await attempt(async () => openRecorderSession(await candidate.connect()));
    if (!opened.ok) return opened;
    const session = opened.data;
    const { sn } = session.info;
    const outcome = await bindSession(session, onStep);
    if (!outcome.ok) {
      await session.close();
      setIdle('closed');
      return outcome;
    }
    const name = candidate.advertisement.name || found.name;
    const { kind, deviceId } = candidate;
    knownRecorders.remember({ kind, deviceId, name, sn, uid: owner });
    log('bind.done', { kind });
    const adopted = await attempt(() => adopt(session, owner, name));
    if (!adopted.ok) return adopted;
    onStep('done');
    return { ok: true, data: null };
  }

  /** The server is asked first and told last, so that a recorder is never bound to nobody's account. */
  async function bindSession(
    session: RecorderSession,
    onStep: (step: BindStep) => void,
  ): Promise<Outcome<null, RecorderFailure>> {
    const { sn } = session.info;
    onStep('checking');
    const check = await client.call('device/check', { sn });
    if (!check.ok) return serverFailure(check.failure);
    onStep('confirming');
    const confirmed = await attempt(() => session.bind());
    if (!confirmed.ok) return confirmed;
    onStep('binding');
    const bound = await client.call('device/binding', { sn });
    if (bound.ok) return { ok: true, data: null };
    // Freed again, unless it was this account's before.
    if (check.data.bound === 'none') await attempt(() => session.unbind());
    return serverFailure(bound.failure);
  }

  async function unbind(): Promise<Outcome<null, RecorderFailure>> {
    const connection = current;
    const owner = uid;
    if (!connection || owner === null) return notConnected;
    const { sn } = connection.session.info;
    const told = await client.call('device/unbinding', { sn });
    if (!told.ok) return serverFailure(told.failure);
    const freed = await attempt(() => connection.session.unbind());
    if (!freed.ok) return freed;
    knownRecorders.forget(owner, sn);
    await disconnect();
    return { ok: true, data: null };
  }

  async function disconnect(): Promise<void> {
    clearTimeout(retryTimer);
    stopSync.abort();
    const connection = current;
    current = null;
    await connection?.session.close();
    setIdle('closed');
  }

  // What the phone has of each session --------------------------------------------------------------

  async function lookAtCopies(): Promise<void> {
    const listed = current?.sync.sessions;
    if (!listed) return;
    const ids = listed.map(({ id }) => id);
    const [work, gone] = await Promise.all([records.work(ids), records.tombstones(ids)]);
    for (const id of ids) {
      const status = work.get(id)?.copies.phone.status;
      if (gone.has(id)) stored.set(id, 'deleted');
      else if (status === 'verified') stored.set(id, 'whole');
      else stored.set(id, status ? 'waiting' : 'absent');
    }
    current?.refreshSessions();
  }

  function phoneCopy(id: string): RecorderSessionRow['onPhone'] {
    const moving = progress.get().get(id);
    return moving?.step === 'fetch'
      ? { status: 'moving', percent: Math.round(moving.fraction * 100) }
      : { status: stored.get(id) ?? 'absent' };
  }

  records.subscribe(() => void lookAtCopies().catch(onError));
  progress.subscribe(() => current?.refreshSessions());

  for (const finder of finders.values()) {
    finder.onAvailabilityChange((availability) => {
      void lookAtWays();
      const idle = link.get().status === 'idle';
      if (availability.status === 'ready' && idle) void connectRemembered('quiet');
    });
  }
  void lookAtWays();

  const service: RecorderService = {
    link,
    ways,
    async find(kind) {
      const finder = finders.get(kind);
      if (!finder) return { ok: false, failure: { kind: 'device', code: 'unsupported' } };
      const found = await attempt(() => finder.find());
      if (!found.ok) return found;
      for (const candidate of found.data) {
        candidates.set(`${candidate.kind}/${candidate.deviceId}`, candidate);
      }
      return { ok: true, data: found.data.map((candidate) => toFound(kind, candidate)) };
    },
    bind,
    reconnect: () => connectRemembered('tap'),
    unbind,
    async startRecording(what) {
      const connection = current;
      if (!connection) return notConnected;
      const outcome = await attemptRecording(() => connection.session.startRecording(what));
      connection.readStatusSoon();
      return outcome;
    },
    async stopRecording() {
      const connection = current;
      if (!connection) return notConnected;
      const outcome = await attemptRecording(() => connection.session.stopRecording());
      connection.readStatusSoon();
      return outcome;
    },
    async listSessions() {
      const connection = current;
      if (!connection) return notConnected;
      const outcome = await attempt(() => connection.sync.refresh());
      return outcome.ok ? { ok: true, data: null } : outcome;
    },
    fetchSessions: (sessionIds) => current?.sync.request(sessionIds),
    async deleteSession(sessionId) {
      const connection = current;
      if (!connection) return notConnected;
      const outcome = await attempt(() => connection.sync.deleteOnRecorder(sessionId));
      return outcome.ok ? { ok: true, data: null } : outcome;
    },
  };

  return {
    service,
    start(owner) {
      uid = owner;
      setIdle('closed');
      void lookAtWays();
      void connectRemembered('quiet');
    },
    async stop() {
      await disconnect();
      uid = null;
      link.set({ status: 'none' });
    },
    fetchAgain(recordId) {
      const listed = current?.sync.sessions?.find(({ id }) => id === recordId);
      if (listed) current?.sync.request([listed.item.sessionId]);
    },
  };
}

function whyIdle(code: string): Why {
  if (code === 'chooser_needed') return 'needs_tap';
  if (code === 'radio_off') return 'radio_off';
  return code === 'recorder_busy' ? 'busy' : 'lost';
}

function toFound(kind: WayKind, { deviceId, advertisement }: RecorderCandidate): FoundRecorder {
  const { name, sn, rssi, extendInfo } = advertisement;
  return {
    kind,
    deviceId,
    name,
    sn: sn ?? extendInfo?.sn ?? null,
    rssi: rssi ?? null,
    bound: extendInfo?.isBind ?? null,
  };
}
