/**
 * The link to the account's Omi. The state machine of the link to other recorders decides when it is opened; this
 * module opens it.
 */
import { writable } from '@linnet/base';
import type { GattFinder } from '@linnet/device/gatt';
import {
  type RecorderFinder,
  type RememberedRecorder,
  TransportError,
} from '@linnet/device/transport';
import { OmiError, type OmiSession, openOmiSession } from '@linnet/omi';
import type { Clock, Log } from '@linnet/sync';
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
import { type KnownOmi, knownOmi } from './known-omi.ts';

type LinkOutcome = Outcome<null, RecorderFailure>;
type TransportKind = RecorderTransport['kind'];

export type OmiLinkOptions = {
  readonly finders: ReadonlyMap<TransportKind, RecorderFinder & Partial<GattFinder>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

export type OmiLink = {
  readonly state: Store<Link<OmiSession, never>>;
  /** The open session, or null. */
  current(): OmiSession | null;
  /** The account's Omi, or null. */
  known(): KnownOmi | null;
  owner(): string | null;
  /** Switches accounts, and connects to the account's Omi. */
  setOwner(uid: string | null): Promise<void>;
  /** Connects to a device that was found, and remembers it if it is an Omi. */
  add(found: RememberedRecorder): Promise<LinkOutcome>;
  connect(byTap: boolean): Promise<LinkOutcome>;
  disconnect(): Promise<void>;
  forget(): Promise<void>;
  adapterChanged(kind: TransportKind, isReady: boolean): void;
  pageVisible(): void;
};

export function createOmiLink({ finders, clock, log, onError }: OmiLinkOptions): OmiLink {
  const state = writable<Link<OmiSession, never>>(disconnected.link);
  let machine: LinkMachine<OmiSession, never> = disconnected;
  let uid: string | null = null;
  let work = new AbortController();
  /** Settles once the previous session is closed. */
  let closing: Promise<unknown> = Promise.resolve();

  const known = () => (uid === null ? null : knownOmi.get(uid));
  const current = () => (machine.link.status === 'connected' ? machine.link.connection : null);

  function dispatch(event: LinkEvent<OmiSession, never>): Promise<LinkOutcome> | null {
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
      log('omi.link', { from: previous.link.status, to: machine.link.status });
    }
    return next.work && startWork(next.work);
  }

  function startWork(next: LinkWork<never>): Promise<LinkOutcome> | null {
    const { epoch } = machine;
    const { signal } = work;
    if (next.type === 'open') return open(next.byTap, epoch, signal);
    if (next.type === 'wait') {
      clock.sleep(next.ms, signal).then(
        () => dispatch({ type: 'waited', epoch })?.catch(onError),
        (error: unknown) => !signal.aborted && onError(error),
      );
    }
    return null;
  }

  async function openSession(remembered: RememberedRecorder, byTap: boolean, signal: AbortSignal) {
    const finder = finders.get(remembered.kind as TransportKind);
    if (!finder?.openGatt) throw new TransportError('unsupported');
    const openGatt = finder.openGatt.bind(finder);
    const openOn = async (device: RememberedRecorder) =>
      openOmiSession(await openGatt(device, { signal }), clock.now);
    try {
      return await openOn(remembered).catch(async (error: unknown) => {
        const needsChooser = error instanceof TransportError && error.code === 'chooser_needed';
        if (!byTap || !needsChooser) throw error;
        const [chosen] = await finder.find({ signal });
        if (!chosen) throw new TransportError('not_found');
        const { kind, deviceId } = chosen;
        return openOn({ ...remembered, kind, deviceId });
      });
    } catch (error) {
      // The app can't record with an Omi whose codec it doesn't know.
      if (error instanceof OmiError) throw new TransportError('unsupported', { cause: error });
      throw error;
    }
  }

  async function open(byTap: boolean, epoch: number, signal: AbortSignal): Promise<LinkOutcome> {
    await closing;
    const remembered = known();
    if (!remembered) {
      dispatch({ type: 'failed', epoch, codes: [] });
      return notConnected;
    }
    const outcome = await attemptOrReport(async () => {
      adopt(await openSession(remembered, byTap, signal), remembered, epoch);
      return null;
    }, onError);
    if (!outcome.ok) {
      const code = outcome.failure.kind === 'device' ? outcome.failure.code : '';
      dispatch({ type: 'failed', epoch, codes: [code] });
    }
    return outcome;
  }

  /** @throws {TransportError} `aborted` if the session is no longer wanted; it's closed then */
  function adopt(session: OmiSession, { uid: owner, name }: KnownOmi, epoch: number): void {
    if (epoch !== machine.epoch) {
      closing = session.close().catch(onError);
      throw new TransportError('aborted');
    }
    const { deviceId } = session;
    const before = known();
    if (before) {
      // The consent to deletions holds for one Omi, and another one may have been chosen.
      const mayDelete = before.deviceId === deviceId && before.mayDelete === true;
      knownOmi.remember({ kind: before.kind, deviceId, name, uid: owner, mayDelete });
    }
    session.onClosed((reason) => {
      log('omi.closed', { reason });
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
      if (known()) await dispatch({ type: 'connect', sn: null, byTap: false });
    },
    async add(found) {
      const owner = uid;
      if (owner === null) return notConnected;
      dispatch({ type: 'bind' });
      const { epoch } = machine;
      const { signal } = work;
      await closing;
      const outcome = await attemptOrReport(async () => {
        const session = await openSession(found, false, signal);
        if (epoch === machine.epoch) knownOmi.remember({ ...found, uid: owner });
        adopt(session, { ...found, uid: owner }, epoch);
        return null;
      }, onError);
      dispatch({ type: 'bind_ended', epoch, remembered: known() !== null })?.catch(onError);
      return outcome;
    },
    async connect(byTap) {
      if (!known()) return notConnected;
      return (await dispatch({ type: 'connect', sn: null, byTap })) ?? { ok: true, data: null };
    },
    async disconnect() {
      dispatch({ type: 'disconnect', remembered: known() !== null });
      await closing;
    },
    async forget() {
      if (uid !== null) knownOmi.forget(uid);
      dispatch({ type: 'disconnect', remembered: false });
      await closing;
    },
    adapterChanged(kind, isReady) {
      if (known()?.kind === kind) dispatch({ type: 'adapter', isReady })?.catch(onError);
    },
    pageVisible: () => void dispatch({ type: 'page_visible' })?.catch(onError),
  };
}
