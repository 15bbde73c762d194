/**
 * State machine for the link to the account's recorders. `transition` maps a state and an event to the next state and
 * the work it requires; `recorder-link.ts` performs that work. The machine has no side effects, reads no clock, and
 * treats connections and networks as opaque values.
 *
 * The specification defines three connection statuses: 0 (idle), 1 (connecting) and 2 (connected). The states `none`,
 * `idle`, `unavailable` and `hotspot` correspond to 0, `connecting` and `reconnecting` to 1, and `connected` to 2.
 */
import type { CloseReason } from '@linnet/device/transport';
import type { NetworkJoining } from '../../ports/recorder.ts';

/** Delays in milliseconds before successive reconnection attempts. The last one repeats. */
export const RECONNECT_MS = [500, 1000, 2000, 5000, 10_000, 30_000] as const;

/**
 * Why the link is reconnecting: the recorder is out of range, it is connected to another phone, or the link is
 * returning from the recorder's network to Bluetooth.
 */
export type RetryReason = 'lost' | 'busy' | 'wifi';
/**
 * Why the link is idle: the user disconnected, the browser requires a tap, or the recorder has no binding with this
 * account.
 */
export type IdleReason = 'closed' | 'needs_tap' | 'unbound';

/** The link's state. `C` is the type of an open connection, and `N` the type of a recorder's network. */
export type Link<C, N> =
  /** No recorder is remembered. */
  | { readonly status: 'none' }
  | { readonly status: 'idle'; readonly reason: IdleReason }
  /** A recorder is being bound over a separate link. Lasts until `opened` or `bind_ended`. */
  | { readonly status: 'binding' }
  /** The Bluetooth adapter is off. The link reopens when the user turns it on. */
  | { readonly status: 'unavailable' }
  /** `reason` is null on the first attempt. */
  | {
      readonly status: 'connecting';
      readonly sn: string | null;
      readonly reason: RetryReason | null;
    }
  | { readonly status: 'reconnecting'; readonly reason: RetryReason }
  /** The recorder has opened its network, and this device must join it. */
  | {
      readonly status: 'hotspot';
      readonly sn: string;
      readonly network: N;
      readonly joining: NetworkJoining;
    }
  | {
      readonly status: 'connected';
      readonly sn: string;
      readonly overWifi: boolean;
      readonly connection: C;
    };

export type LinkMachine<C, N> = {
  readonly link: Link<C, N>;
  /** Incremented whenever the work in progress is superseded. */
  readonly epoch: number;
  /** Number of attempts since the last success. */
  readonly attempts: number;
};

/**
 * An input to the machine. `epoch` identifies the work that produced the event; events from superseded work are
 * ignored.
 */
export type LinkEvent<C, N> =
  /** `remembered`: whether the account has recorders. */
  | { readonly type: 'disconnect'; readonly remembered: boolean }
  | { readonly type: 'bind' }
  | { readonly type: 'bind_ended'; readonly epoch: number; readonly remembered: boolean }
  /** `sn` is the requested recorder. If null, all recorders are tried, starting with the most recently used one. */
  | { readonly type: 'connect'; readonly sn: string | null; readonly isUserInitiated: boolean }
  | {
      readonly type: 'opened';
      readonly epoch: number;
      readonly sn: string;
      readonly overWifi: boolean;
      readonly connection: C;
    }
  /** `codes` lists the failure of each recorder tried, in order. */
  | { readonly type: 'failed'; readonly epoch: number; readonly codes: readonly string[] }
  | { readonly type: 'closed'; readonly epoch: number; readonly reason: CloseReason }
  | { readonly type: 'wait_ended'; readonly epoch: number }
  | {
      readonly type: 'hotspot';
      readonly epoch: number;
      readonly network: N;
      readonly joining: NetworkJoining;
    }
  /** The system didn't join the network, so the user must join it manually. */
  | { readonly type: 'join_refused'; readonly epoch: number }
  /** Neither the system nor the user joined the network in time. */
  | { readonly type: 'not_joined'; readonly epoch: number }
  | { readonly type: 'leave_wifi' }
  /** The adapter that all remembered recorders use has been turned on or off. */
  | { readonly type: 'adapter'; readonly isReady: boolean }
  | { readonly type: 'page_visible' };

/** The work that a new state requires. It either produces an event or is superseded when the epoch changes. */
export type LinkWork<N> =
  | {
      readonly type: 'open';
      readonly sn: string | null;
      readonly isUserInitiated: boolean;
    }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'join'; readonly network: N };

type Transition<C, N> = { readonly machine: LinkMachine<C, N>; readonly work: LinkWork<N> | null };

export const disconnected: LinkMachine<never, never> = {
  link: { status: 'none' },
  epoch: 0,
  attempts: 0,
};

/** Failure codes that a retry can't fix, with the state each leads to. */
const idleReasons: ReadonlyMap<string, IdleReason | 'radio_off'> = new Map([
  ['chooser_needed', 'needs_tap'],
  ['unsupported', 'needs_tap'],
  ['insecure_context', 'needs_tap'],
  ['permission_denied', 'needs_tap'],
  ['chooser_cancelled', 'needs_tap'],
  ['waiting_for_bind', 'unbound'],
  ['binding_unknown', 'unbound'],
  // The recorder's firmware was downgraded to a version without binding keys.
  ['version_unsupported', 'unbound'],
  ['token_refused', 'unbound'],
  ['radio_off', 'radio_off'],
]);

/** Returns whether a failure code means that the recorder no longer has a binding with this account. */
export const isUnbound = (code: string) => idleReasons.get(code) === 'unbound';

/** Enters a state, superseding the previous state's work. */
function enter<C, N>(
  machine: LinkMachine<C, N>,
  link: Link<C, N>,
  work: LinkWork<N> | null = null,
): Transition<C, N> {
  return { machine: { link, epoch: machine.epoch + 1, attempts: machine.attempts }, work };
}

function open<C, N>(
  machine: LinkMachine<C, N>,
  { sn = null, isUserInitiated = false, reason = null }: Partial<OpenOptions> = {},
): Transition<C, N> {
  return enter(
    machine,
    { status: 'connecting', sn, reason },
    { type: 'open', sn, isUserInitiated },
  );
}
type OpenOptions = {
  readonly sn: string | null;
  readonly isUserInitiated: boolean;
  readonly reason: RetryReason | null;
};

function retryLater<C, N>(machine: LinkMachine<C, N>, reason: RetryReason): Transition<C, N> {
  const step = Math.min(machine.attempts, RECONNECT_MS.length - 1);
  const next = { ...machine, attempts: machine.attempts + 1 };
  const ms = RECONNECT_MS[step] as number;
  return enter(next, { status: 'reconnecting', reason }, { type: 'wait', ms });
}

/** Schedules a retry if any recorder's failure may be temporary; otherwise stops. */
function afterFailure<C, N>(
  machine: LinkMachine<C, N>,
  retryReason: RetryReason | null,
  codes: readonly string[],
): Transition<C, N> {
  const temporary = codes.filter((code) => !idleReasons.has(code));
  if (temporary.includes('recorder_busy')) return retryLater(machine, 'busy');
  if (temporary.length > 0) return retryLater(machine, retryReason === 'wifi' ? 'wifi' : 'lost');
  const [reason = 'closed'] = codes.map((code) => idleReasons.get(code) ?? 'closed');
  return reason === 'radio_off'
    ? enter(machine, { status: 'unavailable' })
    : enter(machine, { status: 'idle', reason });
}

/**
 * Returns the next state after an event, and the work it requires. A new `epoch` means that earlier work is superseded.
 */
export function transition<C, N>(
  machine: LinkMachine<C, N>,
  event: LinkEvent<C, N>,
): Transition<C, N> {
  const { link } = machine;
  const unchanged: Transition<C, N> = { machine, work: null };
  if ('epoch' in event && event.epoch !== machine.epoch) return unchanged;
  const reset = { ...machine, attempts: 0 };
  switch (event.type) {
    case 'disconnect':
      return enter(
        reset,
        event.remembered ? { status: 'idle', reason: 'closed' } : { status: 'none' },
      );
    case 'bind':
      return enter(reset, { status: 'binding' });
    case 'bind_ended':
      if (link.status !== 'binding') return unchanged;
      return event.remembered ? open(reset) : enter(reset, { status: 'none' });
    case 'connect': {
      const { sn, isUserInitiated } = event;
      // Connecting must not interrupt a bind. `bind_ended` reconnects the recorders.
      if (link.status === 'binding') return unchanged;
      const isAnotherRecorder = sn !== null && 'sn' in link && link.sn !== sn;
      const isInProgress =
        ['connected', 'hotspot'].includes(link.status) ||
        (link.status === 'connecting' && link.reason === null);
      return isInProgress && !isAnotherRecorder ? unchanged : open(reset, { sn, isUserInitiated });
    }
    case 'opened': {
      const isExpected = ['connecting', 'hotspot', 'binding'].includes(link.status);
      if (!isExpected) return unchanged;
      const { sn, overWifi, connection } = event;
      const connected = { status: 'connected', sn, overWifi, connection } as const;
      return { machine: { ...reset, link: connected }, work: null };
    }
    case 'failed':
      return link.status === 'connecting'
        ? afterFailure(machine, link.reason, event.codes)
        : unchanged;
    case 'closed':
      if (link.status !== 'connected' || event.reason === 'closed_by_us') return unchanged;
      if (event.reason === 'radio_off') return enter(machine, { status: 'unavailable' });
      return retryLater(machine, link.overWifi ? 'wifi' : 'lost');
    case 'wait_ended':
      return link.status === 'reconnecting' ? open(machine, { reason: link.reason }) : unchanged;
    case 'hotspot': {
      if (link.status !== 'connected') return unchanged;
      const { network, joining } = event;
      const hotspot = { status: 'hotspot', sn: link.sn, network, joining } as const;
      return enter(machine, hotspot, { type: 'join', network });
    }
    case 'join_refused':
      return link.status === 'hotspot'
        ? { machine: { ...machine, link: { ...link, joining: 'refused' } }, work: null }
        : unchanged;
    case 'not_joined':
      return link.status === 'hotspot' ? retryLater(machine, 'wifi') : unchanged;
    case 'leave_wifi': {
      const inWifi = link.status === 'hotspot' || (link.status === 'connected' && link.overWifi);
      return inWifi ? retryLater(machine, 'wifi') : unchanged;
    }
    case 'adapter':
      return event.isReady ? adapterOn(reset) : adapterOff(machine);
    case 'page_visible':
      return link.status === 'reconnecting' ? open(machine, { reason: link.reason }) : unchanged;
  }
}

/** Opens the link when the adapter is turned on, as specified, unless a connection attempt is already in progress. */
function adapterOn<C, N>(machine: LinkMachine<C, N>): Transition<C, N> {
  const isWaiting = ['idle', 'unavailable', 'reconnecting'].includes(machine.link.status);
  return isWaiting ? open(machine) : { machine, work: null };
}

/** Pauses a Bluetooth link when the adapter is turned off. Wi-Fi and binding links detect a loss themselves. */
function adapterOff<C, N>(machine: LinkMachine<C, N>): Transition<C, N> {
  const { link } = machine;
  const isOverBluetooth =
    ['connecting', 'reconnecting'].includes(link.status) ||
    (link.status === 'connected' && !link.overWifi);
  return isOverBluetooth ? enter(machine, { status: 'unavailable' }) : { machine, work: null };
}
