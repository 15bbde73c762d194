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
type Done = Outcome<null, RecorderFailure>;

export type RecorderLinkOptions = ConnectionSyncOptions &
  RecorderOpenerOptions &
  HotspotJoinOptions;

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
  /** Closes the link, so that a recorder can be bound over another link. */
  beginBind(): Promise<BindPeriod>;
  /** Has the recorder open its network, and connects over it once this device has joined. */
  openWifi(): Promise<Done>;
  /** Returns from the recorder's network to Bluetooth, or cancels joining it. */
  closeWifi(): Promise<void>;
  /**
   * Connects to a remembered recorder, with automatic retries.
   * @param options.byTap may open the browser's chooser
   * @param options.sn the requested recorder; null for the first to respond, last used first
   */
  connect(options: { byTap: boolean; sn?: string | null }): Promise<Done>;
  /** Closes the link without reopening it automatically. */
  disconnect(): Promise<void>;
  /** The transport of this kind became available or unavailable. */
  adapterChanged(kind: TransportKind, isReady: boolean): void;
  /** The page became visible. */
  pageVisible(): void;
};

/** Performs the work requested by {@link transition}, and reports its results as events. */
export function createRecorderLink(options: RecorderLinkOptions): RecorderLink {
  const { networks, clock, onError, log } = options;
  const opener = createRecorderOpener(options);
  const view = writable<LinkState>({ status: 'none' });
  const history = writable<Omit<LinkHistory, 'signal'>>({ since: null, lastLoss: null });
  let uid: string | null = null;
  let machine: LinkMachine<Connection, Hotspot> = disconnected;
  /** Aborts the work of the current epoch when it is superseded. */
  let work = new AbortController();
  /** The last link loss of each recorder, by serial number. */
  const losses = new Map<string, NonNullable<LinkHistory['lastLoss']>>();
  /** Settles when the previous link is closed. Another link opens only after that. */
  let closing: Promise<unknown> = Promise.resolve();

  /** Applies an event and starts its work. @returns the outcome if the event opens a link */
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
    updateView();
    const { status: to } = view.get();
    if (before.link.status !== machine.link.status) {
      const since = machine.link.status === 'connected' ? clock.now() : null;
      history.set({ ...history.get(), since });
    }
    // Logs only visible changes, so that repeated retries do not fill the log.
    if (from !== to) log('link.state', { from, to });
    return next.work && begin(next.work);
  }

  function current(): Connection | null {
    return machine.link.status === 'connected' ? machine.link.connection : null;
  }

  function known(): readonly KnownRecorder[] {
    return uid === null ? [] : knownRecorders.lastUsedFirst(uid);
  }

  function updateView(): void {
    const { link } = machine;
    const all = known();
    const target = 'sn' in link ? all.find(({ sn }) => sn === link.sn) : undefined;
    const recorder = target ?? all[0];
    if (!recorder || link.status === 'none') view.set({ status: 'none' });
    else view.set({ sn: recorder.sn, name: recorder.name, ...toLinkState(link) });
    const lastLoss = (recorder && losses.get(recorder.sn)) ?? null;
    if (lastLoss !== history.get().lastLoss) history.set({ ...history.get(), lastLoss });
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

  /** Opens the link to the requested recorder, or to the first to respond. */
  async function open(
    { sn, byTap }: Extract<LinkWork<Hotspot>, { type: 'open' }>,
    epoch: number,
    signal: AbortSignal,
  ): Promise<Done> {
    await closing;
    const owner = uid;
    if (owner === null) {
      dispatch({ type: 'failed', epoch, codes: [] });
      return notConnected;
    }
    const result = await opener.open({
      recorders: known().filter((recorder) => sn === null || recorder.sn === sn),
      byTap,
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
   * Makes a new session the current connection and transfers its recordings.
   * @throws DeviceError `aborted` when superseded, and as `status` does; the session is then closed
   */
  async function accept(session: RecorderSession, link: NewLink): Promise<void> {
    const { owner, recorder, epoch, network } = link;
    let connection: Connection;
    try {
      const status = await session.status();
      if (epoch !== machine.epoch || machine.link.status === 'connected') {
        throw new DeviceError('aborted');
      }
      connection = createSyncedConnection(options, {
        session,
        status,
        uid: owner,
        network,
        closeWifi,
      });
      // A browser may assign the recorder another id after a restart; later searches use the new one.
      const isSameTransport = session.kind === recorder.kind;
      const deviceId = isSameTransport ? session.deviceId : recorder.deviceId;
      knownRecorders.used(owner, recorder.sn, deviceId);
    } catch (error) {
      await session.close();
      throw error;
    }
    opener.clearFailures(recorder.sn);
    const overWifi = session.kind === 'wifi';
    dispatch({ type: 'opened', epoch, sn: recorder.sn, overWifi, connection });
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

  /** Treats disabled Bluetooth as a lost link if another transport remains. */
  function radioOff(): CloseReason {
    return new Set(known().map(({ kind }) => kind)).size > 1 ? 'link_lost' : 'radio_off';
  }

  async function openWifi(): Promise<Done> {
    const connection = current();
    const { epoch } = machine;
    if (!connection) return notConnected;
    const opened = await attempt(() => connection.session.openHotspot([]));
    if (!opened.ok) return opened;
    const joining = networks ? 'asked' : 'by_hand';
    dispatch({ type: 'hotspot', epoch, network: opened.data, joining });
    return { ok: true, data: null };
  }

  /** Connects over the recorder's network, or returns to Bluetooth if this device has not joined it in time. */
  async function join(network: Hotspot, epoch: number, signal: AbortSignal): Promise<void> {
    await closing;
    const owner = uid;
    const [recorder] = known();
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
    dispatch({ type: 'unjoined', epoch });
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
          await accept(session, { owner, recorder, epoch });
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
      // Retries continue if another transport remains.
      const isRelevant = isReady ? all.length > 0 : all.every((recorder) => recorder.kind === kind);
      if (isRelevant) dispatch({ type: 'adapter', isReady })?.catch(onError);
    },
    pageVisible: () => void dispatch({ type: 'page_visible' })?.catch(onError),
  };
}
