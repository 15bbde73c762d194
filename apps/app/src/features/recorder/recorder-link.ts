import { writable } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import {
  DeviceError,
  type Hotspot,
  isLinkLost,
  type RecorderSession,
  type RecorderStatus,
  readSessionOverHttp,
  type SessionDigest,
} from '@linnet/device/session';
import {
  type CloseReason,
  type RecorderFinder,
  type Transport,
  TransportError,
} from '@linnet/device/transport';
import {
  type AudioStore,
  type Clock,
  type Cloud,
  type Log,
  type ProgressBoard,
  RecorderSync,
  type RecordStore,
  StorageFull,
  type StoragePolicy,
} from '@linnet/sync';
import { openWifi as openWifiLink } from '@linnet/transports/wifi';
import type {
  LinkHistory,
  LinkState,
  RecorderFailure,
  RecorderTransport,
} from '../../ports/recorder.ts';
import type { Outcome, Store } from '../../ports/store.ts';
import { openKnown } from './binding-keys.ts';
import { type Connection, createConnection, type PhoneCopyOf } from './connection.ts';
import { attempt, notConnected } from './failures.ts';
import {
  disconnected,
  isUnbound,
  type Link,
  type LinkEvent,
  type LinkMachine,
  type LinkWork,
  transition,
} from './link-machine.ts';
import type { RecorderNetworks } from './recorder-networks.ts';
import { type KnownRecorder, knownRecorders } from './remembered.ts';

/** Retry interval in milliseconds for writes while storage is full. */
const STORAGE_FULL_MS = 5000;
/** Delay in milliseconds before a sync is restarted after a defect. */
const DEFECT_MS = 30_000;

/**
 * Time limit in milliseconds for this device to join the recorder's network, which then closes (PROTOCOL.md,
 * section 4), and interval of checking whether it has.
 */
const JOIN_MS = 60_000;
const JOIN_CHECK_MS = 1000;

/**
 * Chunks (1600 bytes each) made durable together over Wi-Fi, since the cost does not depend on their number.
 */
const CHUNKS_AT_ONCE = 160;

type TransportKind = RecorderTransport['kind'];
type Done = Outcome<null, RecorderFailure>;
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/** The state of a recorder, without its identity. */
type Shown = Without<Exclude<LinkState, { status: 'none' }>, 'sn' | 'name'>;

export type RecorderLinkOptions = {
  readonly client: Client;
  readonly records: RecordStore;
  readonly audio: AudioStore;
  readonly progress: ProgressBoard;
  readonly finders: ReadonlyMap<TransportKind, RecorderFinder>;
  /** Null if recorders' networks must be joined by hand. */
  readonly networks: RecorderNetworks | null;
  readonly phoneCopy: PhoneCopyOf;
  readonly onStored: () => void;
  /** Called with each chunk of a recording in progress. */
  readonly onLiveChunk: (recordId: string, bytes: Uint8Array) => void;
  /** The storage policy, read at each call. */
  readonly storage: () => Promise<StoragePolicy>;
  readonly cloudDigest: Cloud['digest'];
  readonly storagePersists: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

/** The exclusive period of a binding. */
export type BindPeriod = {
  /** Aborts when the period ends: by another bind, signing out, or `end`. */
  readonly signal: AbortSignal;
  /**
   * Makes the session of a binding the current connection.
   * @throws DeviceError `aborted` after the end of the period, and as `status` does; the session is then
   *   closed
   */
  adopt(session: RecorderSession, recorder: KnownRecorder): Promise<void>;
  /** Reconnects remembered recorders, unless the session was adopted or the period superseded. */
  end(): void;
};

/** Opens the link to the account's recorders, monitors it, and reopens it after a loss. */
export type RecorderLink = {
  readonly state: Store<LinkState>;
  readonly history: Store<Omit<LinkHistory, 'signal'>>;
  /** The open connection, or null. */
  current(): Connection | null;
  /** The account to which these recorders belong, or null. */
  owner(): string | null;
  /** Changes the account; the previous account's link must be closed. */
  setOwner(uid: string | null): void;
  /** Closes the link, so that a recorder can be bound over another one. */
  beginBind(): Promise<BindPeriod>;
  /** Has the recorder open its network, and continues over it once this device has joined. */
  openWifi(): Promise<Done>;
  /** Returns from the recorder's network, or stops waiting for it. */
  closeWifi(): Promise<void>;
  /**
   * Connects a remembered recorder, and keeps trying automatically.
   * @param options.byTap may open the browser's chooser
   * @param options.sn the requested recorder; null for the first to respond, last used first
   */
  connect(options: { byTap: boolean; sn?: string | null }): Promise<Done>;
  /** Closes the link without reopening it automatically. */
  disconnect(): Promise<void>;
  /** The transport of this kind became available or unavailable. */
  adapterChanged(kind: TransportKind, isReady: boolean): void;
  /** The page became visible. */
  seen(): void;
};

/** Performs the work requested by {@link transition}, and reports its results as events. */
export function createRecorderLink(options: RecorderLinkOptions): RecorderLink {
  const { client, records, finders, networks, progress, clock, onError, log } = options;
  const view = writable<LinkState>({ status: 'none' });
  const history = writable<Omit<LinkHistory, 'signal'>>({ since: null, lastLoss: null });
  let uid: string | null = null;
  let machine: LinkMachine<Connection, Hotspot> = disconnected;
  /** Aborts at the end of the machine's epoch, with all its work. */
  let work = new AbortController();
  /** Serial numbers of recorders without a binding, which are not tried again until the user asks. */
  const refused = new Set<string>();
  /** The last failure of each recorder, by serial number; repetitions are not logged. */
  const lastFailures = new Map<string, string>();
  /** When the link to each recorder last broke, by serial number. */
  const losses = new Map<string, NonNullable<LinkHistory['lastLoss']>>();
  /** Closing of the previous link, which precedes opening another. */
  let closing: Promise<unknown> = Promise.resolve();

  /** @returns the outcome, if the event was to open a link */
  function dispatch(event: LinkEvent<Connection, Hotspot>): Promise<Done> | null {
    const before = machine;
    const next = transition(before, event);
    machine = next.machine;
    if (machine.epoch !== before.epoch) {
      work.abort(new DeviceError('aborted'));
      work = new AbortController();
      if (before.link.status === 'connected') {
        closing = before.link.connection.session.close().catch(onError);
      }
    }
    const { status: from } = view.get();
    show();
    const { status: to } = view.get();
    if (before.link.status !== machine.link.status) {
      const since = machine.link.status === 'connected' ? clock.now() : null;
      history.set({ ...history.get(), since });
    }
    // Logs only visible changes, so that a recorder away for days does not fill the log.
    if (from !== to) log('link.state', { from, to });
    return next.work && begin(next.work);
  }

  function current(): Connection | null {
    return machine.link.status === 'connected' ? machine.link.connection : null;
  }

  function known(): readonly KnownRecorder[] {
    return uid === null ? [] : knownRecorders.lastUsedFirst(uid);
  }

  function show(): void {
    const { link } = machine;
    const all = known();
    const target = 'sn' in link ? all.find(({ sn }) => sn === link.sn) : undefined;
    const which = target ?? all[0];
    if (!which || link.status === 'none') view.set({ status: 'none' });
    else view.set({ sn: which.sn, name: which.name, ...shown(link) });
    const lastLoss = (which && losses.get(which.sn)) ?? null;
    if (lastLoss !== history.get().lastLoss) history.set({ ...history.get(), lastLoss });
  }

  /**
   * The link as pages show it: repeated attempts look alike, and a binding begins as a connection attempt.
   */
  function shown(link: Exclude<Link<Connection, Hotspot>, { status: 'none' }>): Shown {
    switch (link.status) {
      case 'idle':
      case 'unavailable':
      case 'reconnecting':
        return link;
      case 'binding':
        return { status: 'connecting' };
      case 'connecting':
        return link.why === null
          ? { status: 'connecting' }
          : { status: 'reconnecting', why: link.why };
      case 'hotspot': {
        const { joining, network } = link;
        return { status: 'hotspot', joining, ssid: network.ssid, password: network.password };
      }
      case 'connected':
        return { status: 'connected', recorder: link.connection.view.get() };
    }
  }

  function begin(next: LinkWork<Hotspot>): Promise<Done> | null {
    const { epoch } = machine;
    const { signal } = work;
    switch (next.type) {
      case 'open':
        return open(next, epoch, signal);
      case 'wait':
        clock.sleep(next.ms, signal).then(
          () => dispatch({ type: 'waited', epoch })?.catch(onError),
          (error: unknown) => !signal.aborted && onError(error),
        );
        return null;
      case 'join':
        join(next.network, epoch, signal).catch(
          (error: unknown) => !signal.aborted && onError(error),
        );
        return null;
    }
  }

  async function reopen(
    recorder: KnownRecorder,
    byTap: boolean,
    signal: AbortSignal,
  ): Promise<Transport> {
    const finder = finders.get(recorder.kind as TransportKind);
    if (!finder) throw new TransportError('unsupported');
    try {
      return await finder.reopen(recorder, { signal });
    } catch (error) {
      const askOwner = byTap && error instanceof TransportError && error.code === 'chooser_needed';
      if (!askOwner) throw error;
      const [chosen] = await finder.find({ signal });
      if (!chosen) throw new TransportError('not_found');
      return chosen.connect({ signal });
    }
  }

  /** As `attempt`; unexpected errors are reported and treated as temporary. */
  async function attempted(run: () => Promise<null>): Promise<Done> {
    try {
      return await attempt(run);
    } catch (error) {
      onError(error);
      return { ok: false, failure: { kind: 'device', code: 'connect_failed' } };
    }
  }

  /** Tries the recorders one after the other; the first to respond becomes the link. */
  async function open(
    { sn, byTap }: Extract<LinkWork<Hotspot>, { type: 'open' }>,
    epoch: number,
    signal: AbortSignal,
  ): Promise<Done> {
    await closing;
    const owner = uid;
    const wanted = known().filter((recorder) => sn === null || recorder.sn === sn);
    const codes: string[] = [];
    let first: Done = notConnected;
    for (const [index, recorder] of wanted.entries()) {
      if (owner === null || signal.aborted) break;
      // A tap can open only one chooser.
      const mayAsk = byTap && index === 0;
      if (byTap) refused.delete(recorder.sn);
      if (refused.has(recorder.sn)) {
        codes.push('binding_unknown');
        continue;
      }
      const outcome = await attempted(async () => {
        const link = () => reopen(recorder, mayAsk, signal);
        const session = await openKnown(client, recorder, link, signal);
        const refusal = notOurs(session, recorder);
        if (refusal) {
          await session.close();
          throw refusal;
        }
        await take(session, { owner, recorder, epoch });
        return null;
      });
      if (outcome.ok) return outcome;
      if (index === 0) first = outcome;
      const code = outcome.failure.kind === 'device' ? outcome.failure.code : '';
      if (code !== lastFailures.get(recorder.sn)) log('link.failed', { code });
      lastFailures.set(recorder.sn, code);
      if (isUnbound(code)) refused.add(recorder.sn);
      codes.push(code);
    }
    dispatch({ type: 'failed', epoch, codes });
    return first;
  }

  type Taking = {
    readonly owner: string;
    readonly recorder: KnownRecorder;
    readonly epoch: number;
    readonly network?: Hotspot;
  };

  /**
   * Makes a new session the current connection and transfers its recordings.
   * @throws DeviceError `aborted` when superseded, and as `status` does; the session is then closed
   */
  async function take(session: RecorderSession, taking: Taking): Promise<void> {
    const { owner, recorder, epoch, network } = taking;
    let connection: Connection;
    try {
      const status = await session.status();
      if (epoch !== machine.epoch || machine.link.status === 'connected') {
        throw new DeviceError('aborted');
      }
      connection = connect(session, status, owner, network);
      // After a restart, a browser may use another id for the recorder, by which it is found from now on.
      const sameWay = session.kind === recorder.kind;
      knownRecorders.used(owner, recorder.sn, sameWay ? session.deviceId : recorder.deviceId);
    } catch (error) {
      await session.close();
      throw error;
    }
    refused.delete(recorder.sn);
    lastFailures.delete(recorder.sn);
    const overWifi = session.kind === 'wifi';
    dispatch({ type: 'opened', epoch, sn: recorder.sn, overWifi, connection });
    connection.view.subscribe(() => current() === connection && show());
    session.onClosed((reason) => {
      log('link.closed', { reason });
      if (reason !== 'closed_by_us' && uid === owner) {
        losses.set(recorder.sn, { at: clock.now(), reason });
      }
      dispatch({ type: 'closed', epoch, reason: reason === 'radio_off' ? radioOff() : reason });
    });
    void runSync(connection, epoch, work.signal);
  }

  /** If another transport remains, a loss of Bluetooth counts as a lost link. */
  function radioOff(): CloseReason {
    return new Set(known().map(({ kind }) => kind)).size > 1 ? 'link_lost' : 'radio_off';
  }

  function connect(
    session: RecorderSession,
    status: RecorderStatus,
    owner: string,
    network: Hotspot | undefined,
  ): Connection {
    const sync = new RecorderSync({
      session,
      uid: owner,
      records,
      audio: options.audio,
      progress,
      storage: options.storage,
      cloudDigest: options.cloudDigest,
      clock,
      storagePersists: options.storagePersists,
      onStored: () => {
        options.onStored();
        connection.readStatus().catch(ignoreLostLink);
      },
      onLiveChunk: (id, _index, bytes) => options.onLiveChunk(id, bytes),
      ...(network && {
        readComplete: (...asked: Parameters<RecorderSession['readSession']>) =>
          readFast(session, network, ...asked),
        onAllRead: () => void closeWifi().catch(ignoreLostLink),
      }),
      log,
    });
    const connection = createConnection({
      session,
      sync,
      status,
      phoneCopy: options.phoneCopy,
      onError: ignoreLostLink,
    });
    return connection;
  }

  /**
   * Keeps the sync running. A lost link is reopened; full storage and defects are retried over the same link,
   * so that the user can continue recording.
   */
  async function runSync(
    connection: Connection,
    epoch: number,
    signal: AbortSignal,
  ): Promise<void> {
    for (let isOver = false; !isOver && !signal.aborted; ) {
      const left = await attemptSync(connection.sync, signal);
      isOver = left === 'link_lost';
      if (isOver || signal.aborted) break;
      const ms = left === 'no_room' ? STORAGE_FULL_MS : DEFECT_MS;
      log('fetch.waiting', { ms, kind: left });
      await clock.sleep(ms, signal).catch((error: unknown) => !signal.aborted && onError(error));
    }
    dispatch({ type: 'closed', epoch, reason: 'link_lost' });
  }

  /** Syncs until the link or the storage fails. @returns why it ended */
  async function attemptSync(
    sync: RecorderSync,
    signal: AbortSignal,
  ): Promise<'link_lost' | 'no_room' | 'defect'> {
    try {
      await sync.run(signal);
      return 'link_lost';
    } catch (error) {
      if (error instanceof StorageFull) return 'no_room';
      if (!signal.aborted) onError(error);
      return 'defect';
    }
  }

  function ignoreLostLink(error: unknown): void {
    if (!isLinkLost(error)) onError(error);
  }

  async function openWifi(): Promise<Done> {
    const connection = current();
    const { epoch } = machine;
    if (!connection) return notConnected;
    const raised = await attempt(() => connection.session.openHotspot([]));
    if (!raised.ok) return raised;
    const joining = networks ? 'asked' : 'by_hand';
    dispatch({ type: 'hotspot', epoch, network: raised.data, joining });
    return { ok: true, data: null };
  }

  /** Tries until this device has joined the recorder's network, then returns to Bluetooth if it has not. */
  async function join(network: Hotspot, epoch: number, signal: AbortSignal): Promise<void> {
    await closing;
    const owner = uid;
    const [recorder] = known();
    if (owner === null || !recorder) return;
    const { deviceId, name } = recorder;
    // The recorder's time limit has started, and the user may join by hand while the system still asks.
    let giveUpAt = clock.now() + JOIN_MS;
    let attemptEnd = new AbortController();
    void joinNetwork(network, epoch, signal).then((isIn) => {
      if (!isIn) return;
      giveUpAt = clock.now() + JOIN_MS;
      // An attempt started outside the network would take long to fail.
      attemptEnd.abort();
    });
    // The secret of version 2 opens only one link.
    let isSpent = false;
    while (!isSpent && clock.now() < giveUpAt) {
      attemptEnd = new AbortController();
      const until = AbortSignal.any([signal, attemptEnd.signal]);
      const joined = await attempted(async () => {
        const overWifi = async () => {
          const opened = await openWifiLink(network, { deviceId, name, signal: until });
          isSpent = network.version === 2;
          return opened;
        };
        const session = await openKnown(client, recorder, overWifi, signal);
        await take(session, { owner, recorder, epoch, network });
        return null;
      });
      if (joined.ok) return;
      await clock.sleep(JOIN_CHECK_MS, signal);
    }
    log('wifi.missed');
    dispatch({ type: 'unjoined', epoch });
  }

  /**
   * Has this device join if it can, and leave at the end of this work; otherwise asks the user to.
   * @returns whether it joined
   */
  async function joinNetwork(
    { ssid, password }: Hotspot,
    epoch: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (!networks) return false;
    const joined = await networks.join({ ssid, password }, signal).catch((error: unknown) => {
      onError(error);
      return false;
    });
    if (joined || signal.aborted) return joined;
    log('wifi.not_joined');
    dispatch({ type: 'join_refused', epoch });
    return false;
  }

  async function closeWifi(): Promise<void> {
    const connection = current();
    if (connection?.session.kind === 'wifi') await attempt(() => connection.session.closeWifi());
    dispatch({ type: 'leave_wifi' });
  }

  return {
    state: view,
    history,
    current,
    owner: () => uid,
    setOwner(next) {
      if (next !== uid) losses.clear();
      uid = next;
      dispatch({ type: 'disconnect', remembered: known().length > 0 });
    },
    async beginBind() {
      dispatch({ type: 'bind' });
      const { epoch } = machine;
      const { signal } = work;
      const owner = uid;
      await closing;
      return {
        signal,
        async adopt(session, recorder) {
          if (owner === null || signal.aborted) {
            await session.close();
            throw new DeviceError('aborted');
          }
          await take(session, { owner, recorder, epoch });
        },
        end: () =>
          void dispatch({ type: 'bind_ended', epoch, remembered: known().length > 0 })?.catch(
            onError,
          ),
      };
    },
    openWifi,
    closeWifi,
    async connect({ byTap, sn = null }) {
      if (known().length === 0) {
        dispatch({ type: 'disconnect', remembered: false });
        return notConnected;
      }
      return (await dispatch({ type: 'connect', sn, byTap })) ?? { ok: true, data: null };
    },
    async disconnect() {
      dispatch({ type: 'disconnect', remembered: known().length > 0 });
      await closing;
    },
    adapterChanged(kind, isReady) {
      const all = known();
      // If another transport remains, it continues to be tried.
      const concerns = isReady ? all.length > 0 : all.every((recorder) => recorder.kind === kind);
      if (concerns) dispatch({ type: 'adapter', isReady })?.catch(onError);
    },
    seen: () => void dispatch({ type: 'seen' })?.catch(onError),
  };
}

/** Reads a session over the recorder's network: over HTTP under version 1, in the sealed link under version 2. */
function readFast(
  session: RecorderSession,
  network: Hotspot,
  ...[sessionId, fromChunk, reading]: Parameters<RecorderSession['readSession']>
): Promise<SessionDigest> {
  return network.version === 1
    ? readSessionOverHttp(network, sessionId, fromChunk, reading)
    : session.readSession(sessionId, fromChunk, { ...reading, chunksAtOnce: CHUNKS_AT_ONCE });
}

/** The failure if this is another recorder than the remembered one, or one that has lost its binding. */
function notOurs(
  { info }: RecorderSession,
  { sn }: KnownRecorder,
): DeviceError | TransportError | null {
  if (info.sn !== sn) return new TransportError('not_found');
  return info.isBind ? null : new DeviceError('waiting_for_bind');
}
