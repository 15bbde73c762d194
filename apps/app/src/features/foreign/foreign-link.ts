/**
 * Connects to the account's third-party recorder. The state machine, which is shared with Linnet recorders, decides
 * when to connect; this module opens the session.
 */
import { writable } from '@linnet/base';
import type { GattFinder, GattLink } from '@linnet/device/gatt';
import {
  type CloseReason,
  type RecorderFinder,
  type RememberedRecorder,
  TransportError,
  type Unsubscribe,
} from '@linnet/device/transport';
import type { Clock, Log } from '@linnet/sync';
import type { ForeignDisconnected } from '../../ports/foreign.ts';
import type { RecorderFailure, RecorderTransport } from '../../ports/recorder.ts';
import type { Outcome, Store } from '../../ports/store.ts';
import { attemptOrReport, notConnected } from '../recorder/failures.ts';
import {
  disconnected,
  type Link,
  type LinkEvent,
  type LinkMachine,
  type LinkWork,
  transition,
} from '../recorder/link-machine.ts';
import type { KnownDevice, KnownDevices } from './known-devices.ts';

type LinkOutcome = Outcome<null, RecorderFailure>;
type TransportKind = RecorderTransport['kind'];

/** An open session with a recorder. */
export type ForeignSession = {
  readonly deviceId: string;
  onClosed(listener: (reason: CloseReason) => void): Unsubscribe;
  close(): Promise<void>;
};

export type ForeignLinkOptions = {
  readonly finders: ReadonlyMap<TransportKind, RecorderFinder & Partial<GattFinder>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

/** The manufacturer-specific parts of a link. */
export type ForeignMaker<Session extends ForeignSession, Known extends KnownDevice> = {
  /** The name in the log. */
  readonly name: 'omi' | 'pocket';
  readonly devices: KnownDevices<Known>;
  /** Returns whether a session can be opened. */
  readonly isReady: (known: Known) => boolean;
  /**
   * Opens a session. On failure, the link is closed.
   * @returns null, with the link closed, if the recorder is from this manufacturer but isn't ready
   * @throws {TransportError} `not_a_recorder` if the device isn't a recorder from this manufacturer
   */
  readonly openSession: (link: GattLink, known: Known) => Promise<Session | null>;
  /** Returns the data to store for the different device that the user has chosen to replace a recorder. */
  readonly replaced: (known: Known) => Known;
};

export type ForeignLink<Session extends ForeignSession, Known extends KnownDevice> = {
  readonly state: Store<Link<Session, never>>;
  /** The open session, or null. */
  current(): Session | null;
  /** The account's recorder, or null. */
  known(): Known | null;
  owner(): string | null;
  /** Switches accounts, and connects to the account's recorder. */
  setOwner(uid: string | null): Promise<void>;
  /** Connects to a discovered device, and stores it if it is a recorder from this manufacturer. */
  add(found: (uid: string) => Known): Promise<LinkOutcome>;
  connect(isUserInitiated: boolean): Promise<LinkOutcome>;
  disconnect(): Promise<void>;
  forget(): Promise<void>;
  adapterChanged(kind: TransportKind, isReady: boolean): void;
  pageVisible(): void;
};

/** Returns the state of a link that isn't connected, for the interface. */
export function disconnectedState(
  link: Exclude<Link<never, never>, { status: 'connected' } | { status: 'none' }>,
): ForeignDisconnected {
  switch (link.status) {
    case 'connecting':
      return link.reason === null
        ? { status: 'connecting' }
        : { status: 'reconnecting', reason: link.reason };
    case 'binding':
    case 'hotspot':
      return { status: 'connecting' };
    case 'idle':
      return { status: 'idle', reason: link.reason };
    case 'reconnecting':
      return { status: 'reconnecting', reason: link.reason };
    case 'unavailable':
      return { status: link.status };
  }
}

export function createForeignLink<Session extends ForeignSession, Known extends KnownDevice>(
  { finders, clock, log, onError }: ForeignLinkOptions,
  { name, devices, isReady, openSession, replaced }: ForeignMaker<Session, Known>,
): ForeignLink<Session, Known> {
  const state = writable<Link<Session, never>>(disconnected.link);
  let machine: LinkMachine<Session, never> = disconnected;
  let uid: string | null = null;
  let work = new AbortController();
  /** Settles once the previous session is closed. */
  let closing: Promise<unknown> = Promise.resolve();

  const known = () => (uid === null ? null : devices.get(uid));
  /** Returns the account's recorder if a session can be opened, or null. */
  const getReadyDevice = () => {
    const device = known();
    return device && isReady(device) ? device : null;
  };
  const current = () => (machine.link.status === 'connected' ? machine.link.connection : null);

  function dispatch(event: LinkEvent<Session, never>): Promise<LinkOutcome> | null {
    const previous = machine;
    const next = transition(previous, event);
    machine = next.machine;
    if (machine.epoch !== previous.epoch) {
      work.abort(new TransportError('aborted'));
      work = new AbortController();
      if (previous.link.status === 'connected') {
        closing = previous.link.connection.close().catch(onError);
      }
    }
    if (machine.link !== previous.link) state.set(machine.link);
    if (machine.link.status !== previous.link.status) {
      log(`${name}.link`, { from: previous.link.status, to: machine.link.status });
    }
    return next.work && startWork(next.work);
  }

  function startWork(next: LinkWork<never>): Promise<LinkOutcome> | null {
    const { epoch } = machine;
    const { signal } = work;
    if (next.type === 'open') return open(next.isUserInitiated, epoch, signal);
    if (next.type === 'wait') {
      clock.sleep(next.ms, signal).then(
        () => dispatch({ type: 'wait_ended', epoch })?.catch(onError),
        (error: unknown) => !signal.aborted && onError(error),
      );
    }
    return null;
  }

  async function openOn(device: Known, isUserInitiated: boolean, signal: AbortSignal) {
    const finder = finders.get(device.kind as TransportKind);
    if (!finder?.openGatt) throw new TransportError('unsupported');
    const openGatt = finder.openGatt.bind(finder);
    const openWith = async (remembered: RememberedRecorder) =>
      openSession(await openGatt(remembered, { signal }), device);
    return openWith(device).catch(async (error: unknown) => {
      const needsChooser = error instanceof TransportError && error.code === 'chooser_needed';
      if (!isUserInitiated || !needsChooser) throw error;
      const [chosen] = await finder.find({ signal });
      if (!chosen) throw new TransportError('not_found');
      const { kind, deviceId } = chosen;
      return openWith({ ...device, kind, deviceId });
    });
  }

  async function open(
    isUserInitiated: boolean,
    epoch: number,
    signal: AbortSignal,
  ): Promise<LinkOutcome> {
    await closing;
    const remembered = getReadyDevice();
    if (!remembered) {
      dispatch({ type: 'failed', epoch, codes: [] });
      return notConnected;
    }
    const outcome = await attemptOrReport(async () => {
      const session = await openOn(remembered, isUserInitiated, signal);
      if (session) adopt(session, epoch);
      else dispatch({ type: 'failed', epoch, codes: [] });
      return null;
    }, onError);
    if (!outcome.ok) {
      const code = outcome.failure.kind === 'device' ? outcome.failure.code : '';
      dispatch({ type: 'failed', epoch, codes: [code] });
    }
    return outcome;
  }

  /**
   * @throws {TransportError} `aborted` if the connection was canceled while the session was being opened; the session
   * is then closed
   */
  function adopt(session: Session, epoch: number): void {
    if (epoch !== machine.epoch) {
      closing = session.close().catch(onError);
      throw new TransportError('aborted');
    }
    const { deviceId } = session;
    const previousDevice = known();
    if (previousDevice && previousDevice.deviceId !== deviceId)
      devices.remember({ ...replaced(previousDevice), deviceId });
    session.onClosed((reason) => {
      log(`${name}.closed`, { reason });
      dispatch({ type: 'closed', epoch, reason });
    });
    dispatch({ type: 'opened', epoch, sn: deviceId, overWifi: false, connection: session });
  }

  return {
    state,
    current,
    known,
    owner: () => uid,
    async setOwner(next) {
      uid = next;
      dispatch({ type: 'disconnect', remembered: known() !== null });
      await closing;
      if (getReadyDevice()) await dispatch({ type: 'connect', sn: null, isUserInitiated: false });
    },
    async add(found) {
      const owner = uid;
      if (owner === null) return notConnected;
      dispatch({ type: 'bind' });
      const { epoch } = machine;
      const { signal } = work;
      await closing;
      const device = found(owner);
      const outcome = await attemptOrReport(async () => {
        const session = await openOn(device, false, signal);
        if (epoch === machine.epoch) devices.remember(device);
        if (session) adopt(session, epoch);
        return null;
      }, onError);
      dispatch({ type: 'bind_ended', epoch, remembered: getReadyDevice() !== null })?.catch(
        onError,
      );
      return outcome;
    },
    async connect(isUserInitiated) {
      if (!getReadyDevice()) return notConnected;
      return (
        (await dispatch({ type: 'connect', sn: null, isUserInitiated })) ?? { ok: true, data: null }
      );
    },
    async disconnect() {
      dispatch({ type: 'disconnect', remembered: known() !== null });
      await closing;
    },
    async forget() {
      if (uid !== null) devices.forget(uid);
      dispatch({ type: 'disconnect', remembered: false });
      await closing;
    },
    adapterChanged(kind, isReady) {
      if (getReadyDevice()?.kind === kind) dispatch({ type: 'adapter', isReady })?.catch(onError);
    },
    pageVisible: () => void dispatch({ type: 'page_visible' })?.catch(onError),
  };
}
