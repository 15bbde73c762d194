/**
 * The link to the account's recorders. Opens a connection, monitors it, and reopens it after a loss. The state machine
 * in `link-machine.ts` makes all decisions; this module performs the work that the machine requests and reports the
 * results as events. Work is tagged with the machine's epoch, and results from an older epoch are ignored.
 */
import { writable } from '@linnet/base';
import { DeviceError, type Hotspot, type RecorderSession } from '@linnet/device/session';
import type { CloseReason } from '@linnet/device/transport';
import type {
  LinkHistory,
  LinkState,
  RecorderFailure,
  RecorderTransport,
} from '../../ports/recorder.ts';
import type { Outcome, Store } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { type ConnectionSyncOptions, createSyncedConnection, runSync } from './connection-sync.ts';
import { attempt, notConnected } from './failures.ts';
import { connectOverHotspot, type HotspotJoinOptions } from './hotspot-join.ts';
import { type KnownRecorder, knownRecorders } from './known-recorders.ts';
import {
  disconnected,
  type LinkEvent,
  type LinkMachine,
  type LinkWork,
  transition,
} from './link-machine.ts';
import { toLinkState } from './link-view.ts';
import { createRecorderOpener, type RecorderOpenerOptions } from './recorder-opener.ts';

type TransportKind = RecorderTransport['kind'];
type LinkOutcome = Outcome<null, RecorderFailure>;

export type RecorderLinkOptions = ConnectionSyncOptions &
  RecorderOpenerOptions &
  HotspotJoinOptions;

/** A period during which only the bind in progress may use the link. */
export type BindPeriod = {
  /** Aborts when the period ends: by `end`, another bind, or a sign-out. */
  readonly signal: AbortSignal;
  /**
   * Makes the newly bound recorder's session the current connection. On failure, closes the session.
   * @throws DeviceError `aborted` once the period has ended; otherwise the errors of `session.status`
   */
  adopt(session: RecorderSession, recorder: KnownRecorder): Promise<void>;
  /** Reconnects remembered recorders, unless a session was adopted or the period was superseded. */
  end(): void;
};

export type RecorderLink = {
  readonly state: Store<LinkState>;
  readonly history: Store<Omit<LinkHistory, 'signal'>>;
  /** The open connection, or null. */
  current(): Connection | null;
  /** The uid of the account that the recorders belong to, or null. */
  owner(): string | null;
  /** Switches accounts. Close the previous account's link first. */
  setOwner(uid: string | null): void;
  /** Closes the link before a recorder is bound over a separate link. */
  beginBind(): Promise<BindPeriod>;
  /** Asks the recorder to open its Wi-Fi network, and connects over it once this device has joined. */
  openWifi(): Promise<LinkOutcome>;
  /** Returns from the recorder's network to Bluetooth, or stops waiting for this device to join it. */
  closeWifi(): Promise<void>;
  /**
   * Connects to a remembered recorder, with automatic retries.
   * @param options.isUserInitiated whether the user requested the connection, which allows the browser's chooser to
   *   open
   * @param options.sn the requested recorder; if null, all recorders are tried, starting with the most recently used
   * one
   */
  connect(options: { isUserInitiated: boolean; sn?: string | null }): Promise<LinkOutcome>;
  /** Closes the link without reopening it automatically. */
  disconnect(): Promise<void>;
  /** Call this when the given kind of transport becomes available or unavailable. */
  adapterChanged(kind: TransportKind, isReady: boolean): void;
  /** Call this when the page becomes visible, to start a pending retry immediately. */
  pageVisible(): void;
};

export function createRecorderLink(options: RecorderLinkOptions): RecorderLink {
  const { networks, clock, onError, log } = options;
  const opener = createRecorderOpener(options);
  const view = writable<LinkState>({ status: 'none' });
  const history = writable<Omit<LinkHistory, 'signal'>>({ since: null, lastLoss: null });
  let uid: string | null = null;
  let machine: LinkMachine<Connection, Hotspot> = disconnected;
  /** Aborts the current epoch's work when it is superseded. */
  let work = new AbortController();
  /** Each recorder's last link loss, keyed by serial number. */
  const losses = new Map<string, NonNullable<LinkHistory['lastLoss']>>();
  /** Settles once the previous link is closed. Await it before opening another link. */
  let closing: Promise<unknown> = Promise.resolve();

  /**
   * Applies an event and starts the resulting work.
   * @returns the outcome if the event opens a link
   */
  function dispatch(event: LinkEvent<Connection, Hotspot>): Promise<LinkOutcome> | null {
    const previous = machine;
    const next = transition(previous, event);
    machine = next.machine;
    if (machine.epoch !== previous.epoch) {
      work.abort(new DeviceError('aborted'));
      work = new AbortController();
      if (previous.link.status === 'connected') {
        closing = previous.link.connection.session.close().catch(onError);
      }
    }
    const { status: from } = view.get();
    updateView();
    const { status: to } = view.get();
    if (previous.link.status !== machine.link.status) {
      const since = machine.link.status === 'connected' ? clock.now() : null;
      history.set({ ...history.get(), since });
    }
    // Log only visible changes; otherwise repeated retries would fill the log.
    if (from !== to) log('link.state', { from, to });
    return next.work && startWork(next.work);
  }

  function current(): Connection | null {
    return machine.link.status === 'connected' ? machine.link.connection : null;
  }

  function accountRecorders(): readonly KnownRecorder[] {
    return uid === null ? [] : knownRecorders.lastUsedFirst(uid);
  }

  function hasRecorders(): boolean {
    return accountRecorders().length > 0;
  }

  function updateView(): void {
    const { link } = machine;
    const recorders = accountRecorders();
    const target = 'sn' in link ? recorders.find(({ sn }) => sn === link.sn) : undefined;
    const recorder = target ?? recorders[0];
    if (!recorder || link.status === 'none') view.set({ status: 'none' });
    else view.set({ sn: recorder.sn, name: recorder.name, ...toLinkState(link) });
    const lastLoss = (recorder && losses.get(recorder.sn)) ?? null;
    if (lastLoss !== history.get().lastLoss) history.set({ ...history.get(), lastLoss });
  }

  function startWork(next: LinkWork<Hotspot>): Promise<LinkOutcome> | null {
    const { epoch } = machine;
    const { signal } = work;
    switch (next.type) {
      case 'open':
        return open(next, epoch, signal);
      case 'wait':
        clock.sleep(next.ms, signal).then(
          () => dispatch({ type: 'wait_ended', epoch })?.catch(onError),
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

  /** Opens the link to the requested recorder, or to the first one that responds. */
  async function open(
    { sn, isUserInitiated }: Extract<LinkWork<Hotspot>, { type: 'open' }>,
    epoch: number,
    signal: AbortSignal,
  ): Promise<LinkOutcome> {
    await closing;
    const owner = uid;
    if (owner === null) {
      dispatch({ type: 'failed', epoch, codes: [] });
      return notConnected;
    }
    const result = await opener.open({
      recorders: accountRecorders().filter((recorder) => sn === null || recorder.sn === sn),
      isUserInitiated,
      signal,
      accept: (session, recorder) => accept(session, { owner, recorder, epoch }),
    });
    if (result.ok) return { ok: true, data: null };
    dispatch({ type: 'failed', epoch, codes: result.codes });
    return { ok: false, failure: result.failure };
  }

  type NewLink = {
    readonly owner: string;
    readonly recorder: KnownRecorder;
    readonly epoch: number;
    readonly network?: Hotspot;
  };

  /**
   * Makes a new session the current connection and starts transferring its recordings. On failure, closes the session.
   * @throws DeviceError `aborted` when superseded; otherwise the errors of `session.status`
   */
  async function accept(session: RecorderSession, link: NewLink): Promise<void> {
    const { owner, recorder, epoch, network } = link;
    let connection: Connection;
    try {
      const status = await session.status();
      if (epoch !== machine.epoch || machine.link.status === 'connected') {
        throw new DeviceError('aborted');
      }
      const { sn, firmwareVersion } = session.info;
      connection = createSyncedConnection(options, {
        session,
        status,
        uid: owner,
        network,
        closeWifi,
        missing: knownRecorders.missingFunctions(owner, sn, firmwareVersion),
        onMissing: (name) => knownRecorders.addMissing(owner, sn, firmwareVersion, name),
      });
      // After a restart, a browser may give the recorder a new device ID, which later searches need.
      const isSameTransport = session.kind === recorder.kind;
      const deviceId = isSameTransport ? session.deviceId : recorder.deviceId;
      knownRecorders.markUsed(owner, recorder.sn, deviceId);
    } catch (error) {
      await session.close();
      throw error;
    }
    opener.clearFailures(recorder.sn);
    const isOverWifi = session.kind === 'wifi';
    dispatch({ type: 'opened', epoch, sn: recorder.sn, overWifi: isOverWifi, connection });
    connection.view.subscribe(() => current() === connection && updateView());
    session.onClosed((reason) => {
      log('link.closed', { reason });
      if (reason !== 'closed_by_us' && uid === owner) {
        losses.set(recorder.sn, { at: clock.now(), reason });
      }
      dispatch({ type: 'closed', epoch, reason: reason === 'radio_off' ? radioOff() : reason });
    });
    void runSync(connection.sync, options, work.signal).then(() =>
      dispatch({ type: 'closed', epoch, reason: 'link_lost' }),
    );
  }

  /**
   * Returns the close reason when Bluetooth is off: a lost link if the account's recorders also use a different
   * transport.
   */
  function radioOff(): CloseReason {
    const kinds = new Set(accountRecorders().map(({ kind }) => kind));
    return kinds.size > 1 ? 'link_lost' : 'radio_off';
  }

  async function openWifi(): Promise<LinkOutcome> {
    const connection = current();
    const { epoch } = machine;
    if (!connection) return notConnected;
    const opened = await attempt(() =>
      connection.runOptional('hasWifi', () => connection.session.openHotspot([])),
    );
    if (!opened.ok) return opened;
    const joining = networks ? 'asked' : 'by_hand';
    dispatch({ type: 'hotspot', epoch, network: opened.data, joining });
    return { ok: true, data: null };
  }

  /** Connects over the recorder's network, or returns to Bluetooth if this device hasn't joined it in time. */
  async function join(network: Hotspot, epoch: number, signal: AbortSignal): Promise<void> {
    await closing;
    const owner = uid;
    const [recorder] = accountRecorders();
    if (owner === null || !recorder) return;
    const isConnected = await connectOverHotspot(options, {
      network,
      recorder,
      signal,
      onRefused: () => dispatch({ type: 'join_refused', epoch }),
      accept: (session) => accept(session, { owner, recorder, epoch, network }),
    });
    if (isConnected) return;
    log('wifi.missed');
    dispatch({ type: 'not_joined', epoch });
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
      dispatch({ type: 'disconnect', remembered: hasRecorders() });
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
          await accept(session, { owner, recorder, epoch });
        },
        end: () =>
          void dispatch({ type: 'bind_ended', epoch, remembered: hasRecorders() })?.catch(onError),
      };
    },
    openWifi,
    closeWifi,
    async connect({ isUserInitiated, sn = null }) {
      if (!hasRecorders()) {
        dispatch({ type: 'disconnect', remembered: false });
        return notConnected;
      }
      return (await dispatch({ type: 'connect', sn, isUserInitiated })) ?? { ok: true, data: null };
    },
    async disconnect() {
      dispatch({ type: 'disconnect', remembered: hasRecorders() });
      await closing;
    },
    adapterChanged(kind, isReady) {
      const recorders = accountRecorders();
      // Keep retrying as long as a recorder can be reached over a different transport.
      const isRelevant = isReady
        ? recorders.length > 0
        : recorders.every((recorder) => recorder.kind === kind);
      if (isRelevant) dispatch({ type: 'adapter', isReady })?.catch(onError);
    },
    pageVisible: () => void dispatch({ type: 'page_visible' })?.catch(onError),
  };
}
