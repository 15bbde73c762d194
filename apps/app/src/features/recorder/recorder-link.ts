import {
  DeviceError,
  type Hotspot,
  openRecorderSession,
  type RecorderSession,
  readSessionOverHttp,
} from '@linnet/device/session';
import { type RecorderFinder, type Transport, TransportError } from '@linnet/device/transport';
import {
  type AudioStore,
  type Clock,
  defaultSaveSetting,
  type Log,
  NoRoom,
  type ProgressBoard,
  RecorderSync,
  type RecordStore,
} from '@linnet/sync';
import { openWifi as openWifiLink } from '@linnet/transports/wifi';
import type { LinkState, Outcome, RecorderFailure, RecorderWay, Store } from '../../services.ts';
import { writable } from '../../stores.ts';
import { type Connection, createConnection, type PhoneCopyOf } from './connection.ts';
import { attempt, notConnected } from './failures.ts';
import { type KnownRecorder, knownRecorders } from './remembered.ts';

/** Milliseconds between tries to reach a recorder that was lost; the last one repeats. */
const RECONNECT_MS = [500, 1000, 2000, 5000, 10_000, 30_000] as const;

/** Milliseconds between tries to write on a phone that had no room. */
const NO_ROOM_MS = 5000;

/**
 * Milliseconds that this device has to join the recorder's network, which then falls by itself
 * (PROTOCOL.md, section 4), and between two looks whether it has.
 */
const JOIN_MS = 60_000;
const JOIN_LOOK_MS = 1000;

type WayKind = RecorderWay['kind'];
type Why = Extract<LinkState, { status: 'idle' }>['why'];

export type RecorderLinkOptions = {
  readonly records: RecordStore;
  readonly audio: AudioStore;
  readonly progress: ProgressBoard;
  readonly finders: ReadonlyMap<WayKind, RecorderFinder>;
  readonly phoneCopy: PhoneCopyOf;
  readonly onStored: () => void;
  /** Told each chunk of a recording in progress. */
  readonly onHeard: (recordId: string, bytes: Uint8Array) => void;
  readonly storagePersists: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

/** The link to the account's recorder: opened, watched, and opened again when it breaks. */
export type RecorderLink = {
  readonly state: Store<LinkState>;
  /** The open connection, or null. */
  current(): Connection | null;
  /** The account whose recorder this is, or null. */
  owner(): string | null;
  /** Changes the account; the link of the one before must be closed. */
  setOwner(uid: string | null): void;
  /** Makes a fresh session the current connection and starts bringing its recordings over. */
  adopt(session: RecorderSession, owner: string, name: string): Promise<void>;
  /** Has the recorder raise its network, and goes on over it once this device has joined. */
  openWifi(): Promise<Outcome<null, RecorderFailure>>;
  /** Back from the recorder's network, or from waiting for it. */
  closeWifi(): Promise<void>;
  /** @param mode `tap` may open the browser's chooser; `quiet` goes on trying by itself */
  connect(mode: 'tap' | 'quiet'): Promise<Outcome<null, RecorderFailure>>;
  /** Closes the link and does not open it again by itself. */
  disconnect(): Promise<void>;
};

export function createRecorderLink(options: RecorderLinkOptions): RecorderLink {
  const { records, finders, progress, onError, log } = options;
  const link = writable<LinkState>({ status: 'none' });
  let uid: string | null = null;
  let current: Connection | null = null;
  let stopSync = new AbortController();
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  /** Counts what supersedes an attempt to connect that is still under way. */
  let generation = 0;

  function setIdle(why: Why): void {
    const known = uid === null ? null : knownRecorders.latest(uid);
    link.set(known ? { status: 'idle', name: known.name, why } : { status: 'none' });
  }

  async function adopt(
    session: RecorderSession,
    owner: string,
    name: string,
    hotspot?: Hotspot,
  ): Promise<void> {
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
        connection.readStatus().catch(ignoreLostLink);
      },
      onHeard: (id, _index, bytes) => options.onHeard(id, bytes),
      ...(hotspot && {
        readWhole: (...asked: Parameters<RecorderSession['readSession']>) =>
          readSessionOverHttp(hotspot, ...asked),
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

  /**
   * The sync ends by itself only when the link is of no use, which is then opened anew, or the phone is
   * full, which its owner sees and can change.
   */
  async function runSync(connection: Connection, signal: AbortSignal): Promise<void> {
    const { sync, session } = connection;
    try {
      while (current === connection && (await endedForRoom(sync, signal))) {
        log('fetch.waiting', { ms: NO_ROOM_MS, kind: 'no_room' });
        await options.clock.sleep(NO_ROOM_MS, signal);
      }
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    if (signal.aborted || current?.session !== session) return;
    current = null;
    await session.close();
    setIdle('lost');
    retryLater();
  }

  async function endedForRoom(sync: RecorderSync, signal: AbortSignal): Promise<boolean> {
    try {
      await sync.run(signal);
      return false;
    } catch (error) {
      if (error instanceof NoRoom) return true;
      throw error;
    }
  }

  function ignoreLostLink(error: unknown): void {
    const lost =
      error instanceof DeviceError && (error.code === 'link_lost' || error.code === 'timeout');
    if (!lost) onError(error);
  }

  function retryLater(): void {
    const step = Math.min(tries++, RECONNECT_MS.length - 1);
    clearTimeout(retryTimer);
    retryTimer = setTimeout(() => void connect('quiet'), RECONNECT_MS[step]);
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
  async function connect(mode: 'tap' | 'quiet'): Promise<Outcome<null, RecorderFailure>> {
    const owner = uid;
    const known = owner === null ? null : knownRecorders.latest(owner);
    if (owner === null || !known) return notConnected;
    if (current || ['connecting', 'hotspot'].includes(link.get().status))
      return { ok: true, data: null };
    clearTimeout(retryTimer);
    const mine = ++generation;
    link.set({ status: 'connecting', name: known.name });
    const outcome = await attempt(async () => {
      const session = await openRecorderSession(await reopen(known, mode === 'tap'));
      if (mine !== generation || session.info.sn !== known.sn) {
        await session.close();
        throw new TransportError('not_found');
      }
      await adopt(session, owner, known.name);
      return null;
    });
    if (outcome.ok || mine !== generation) return outcome;
    const code = outcome.failure.kind === 'device' ? outcome.failure.code : '';
    log('link.failed', { code });
    setIdle(whyIdle(code));
    // A tap or the radio's return starts over; everything else may pass by itself.
    if (code !== 'chooser_needed' && code !== 'radio_off') retryLater();
    return outcome;
  }

  async function openWifi(): Promise<Outcome<null, RecorderFailure>> {
    const connection = current;
    const owner = uid;
    if (!connection || owner === null) return notConnected;
    const { session } = connection;
    const raised = await attempt(() => session.openHotspot([]));
    if (!raised.ok) return raised;
    const mine = await letGo(connection);
    const known = knownRecorders.latest(owner);
    const name = known?.name ?? session.info.sn;
    const { ssid, password } = raised.data;
    link.set({ status: 'hotspot', name, ssid, password });
    void reachOverWifi(raised.data, { owner, name, deviceId: session.deviceId, mine }).catch(
      onError,
    );
    return { ok: true, data: null };
  }

  /** Tries until this device has joined the recorder's network; then, or never, Bluetooth takes over. */
  async function reachOverWifi(
    hotspot: Hotspot,
    {
      owner,
      name,
      deviceId,
      mine,
    }: { owner: string; name: string; deviceId: string; mine: number },
  ): Promise<void> {
    const { clock } = options;
    const giveUpAt = clock.now() + JOIN_MS;
    while (mine === generation && clock.now() < giveUpAt) {
      const joined = await attempt(async () => {
        const session = await openRecorderSession(await openWifiLink(hotspot, { deviceId, name }));
        if (mine !== generation) return session.close();
        await adopt(session, owner, name, hotspot);
      });
      if (joined.ok) return;
      await clock.sleep(JOIN_LOOK_MS, new AbortController().signal);
    }
    if (mine !== generation) return;
    log('wifi.missed');
    setIdle('lost');
    retryLater();
  }

  /** Ends a connection without another one in its place. @returns the generation that follows */
  async function letGo(connection: Connection | null): Promise<number> {
    const mine = ++generation;
    clearTimeout(retryTimer);
    stopSync.abort();
    current = null;
    await connection?.session.close();
    return mine;
  }

  async function closeWifi(): Promise<void> {
    const connection = current;
    const state = link.get();
    const overWifi = connection?.session.kind === 'wifi';
    if (!overWifi && state.status !== 'hotspot') return;
    if (overWifi) await attempt(() => connection.session.closeWifi());
    await letGo(overWifi ? connection : null);
    setIdle('lost');
    retryLater();
  }

  async function disconnect(): Promise<void> {
    await letGo(current);
    setIdle('closed');
  }

  return {
    state: link,
    current: () => current,
    owner: () => uid,
    setOwner(next) {
      uid = next;
      setIdle('closed');
    },
    adopt: (session, owner, name) => adopt(session, owner, name),
    openWifi,
    closeWifi,
    connect,
    disconnect,
  };
}

function whyIdle(code: string): Why {
  if (code === 'chooser_needed') return 'needs_tap';
  if (code === 'radio_off') return 'radio_off';
  return code === 'recorder_busy' ? 'busy' : 'lost';
}
