/**
 * The link to the account's recorders as a state machine: takes events, returns the next state and the work it needs.
 * It uses neither radio nor clock, and treats connections and networks as opaque values.
 *
 * The specification's connection status 0, 1, 2 (idle, connecting, connected) maps to these states: `none`, `idle`,
 * `unavailable` and `hotspot` are 0, `connecting` and `reconnecting` are 1.
 */
import type { CloseReason } from '@linnet/device/transport';
import type { NetworkJoining } from '../../ports/recorder.ts';

/** Delays in milliseconds between attempts to reconnect; the last one repeats. */
export const RECONNECT_MS = [500, 1000, 2000, 5000, 10_000, 30_000] as const;

/** The reason of a retry: out of range, connected to another phone, or returning from the recorder's network. */
export type RetryReason = 'lost' | 'busy' | 'wifi';
/** The reason of an idle link: disconnected, the browser requires a tap, or the recorder has no binding. */
export type IdleReason = 'closed' | 'needs_tap' | 'unbound';

/** `C` is an open connection, `N` the network that a recorder opened. */
export type Link<C, N> =
  /** No recorder is remembered. */
  | { readonly status: 'none' }
  | { readonly status: 'idle'; readonly why: IdleReason }
  /** A recorder is being bound over a separate link, until `opened` or `bind_ended`. */
  | { readonly status: 'binding' }
  /** The adapter is off. Turning it on opens the link again. */
  | { readonly status: 'unavailable' }
  /** `why` is null on the first attempt. */
  | { readonly status: 'connecting'; readonly sn: string | null; readonly why: RetryReason | null }
  | { readonly status: 'reconnecting'; readonly why: RetryReason }
  /** The recorder opened its network, and this device must join it. */
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
  /** Attempts since the last success. */
  readonly tries: number;
};

/** `epoch` identifies the work that produced an event. Events of superseded work are ignored. */
export type LinkEvent<C, N> =
  /** `remembered`: whether the account has recorders. */
  | { readonly type: 'disconnect'; readonly remembered: boolean }
  | { readonly type: 'bind' }
  | { readonly type: 'bind_ended'; readonly epoch: number; readonly remembered: boolean }
  /** @param sn the requested recorder; null for the first to respond, last used first */
  | { readonly type: 'connect'; readonly sn: string | null; readonly byTap: boolean }
  | {
      readonly type: 'opened';
      readonly epoch: number;
      readonly sn: string;
      readonly overWifi: boolean;
      readonly connection: C;
    }
  /** @param codes the failure of each recorder that was tried, in order */
  | { readonly type: 'failed'; readonly epoch: number; readonly codes: readonly string[] }
  | { readonly type: 'closed'; readonly epoch: number; readonly reason: CloseReason }
  | { readonly type: 'waited'; readonly epoch: number }
  | {
      readonly type: 'hotspot';
      readonly epoch: number;
      readonly network: N;
      readonly joining: NetworkJoining;
    }
  /** The system did not join the network, so the user must. */
  | { readonly type: 'join_refused'; readonly epoch: number }
  | { readonly type: 'unjoined'; readonly epoch: number }
  | { readonly type: 'leave_wifi' }
  /** The adapter of all remembered recorders was turned on or off. */
  | { readonly type: 'adapter'; readonly isReady: boolean }
  /** The page became visible; a pending retry starts immediately. */
  | { readonly type: 'page_visible' };

/** The work of a new state. It ends with an event or is superseded with its epoch. */
export type LinkWork<N> =
  | {
      readonly type: 'open';
      readonly sn: string | null;
      readonly byTap: boolean;
    }
  /** Milliseconds. */
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'join'; readonly network: N };

type Next<C, N> = { readonly machine: LinkMachine<C, N>; readonly work: LinkWork<N> | null };

export const disconnected: LinkMachine<never, never> = {
  link: { status: 'none' },
  epoch: 0,
  tries: 0,
};

/** Failures that end the retries, by code. */
const idleReasons: ReadonlyMap<string, IdleReason | 'radio_off'> = new Map([
  ['chooser_needed', 'needs_tap'],
  ['unsupported', 'needs_tap'],
  ['insecure_context', 'needs_tap'],
  ['permission_denied', 'needs_tap'],
  ['chooser_cancelled', 'needs_tap'],
  ['waiting_for_bind', 'unbound'],
  ['binding_unknown', 'unbound'],
  // The firmware was downgraded to a version without keys.
  ['version_unsupported', 'unbound'],
  ['token_refused', 'unbound'],
  ['radio_off', 'radio_off'],
]);

/** Whether a code means that the recorder has lost the account's binding, so that retries are useless. */
export const isUnbound = (code: string) => idleReasons.get(code) === 'unbound';

/** Enters a state and supersedes all work of the previous one. */
function enter<C, N>(
  machine: LinkMachine<C, N>,
  link: Link<C, N>,
  work: LinkWork<N> | null = null,
): Next<C, N> {
  return { machine: { link, epoch: machine.epoch + 1, tries: machine.tries }, work };
}

function open<C, N>(
  machine: LinkMachine<C, N>,
  { sn = null, byTap = false, why = null }: Partial<OpenOptions> = {},
): Next<C, N> {
  return enter(machine, { status: 'connecting', sn, why }, { type: 'open', sn, byTap });
}
type OpenOptions = {
  readonly sn: string | null;
  readonly byTap: boolean;
  readonly why: RetryReason | null;
};

function retryLater<C, N>(machine: LinkMachine<C, N>, why: RetryReason): Next<C, N> {
  const step = Math.min(machine.tries, RECONNECT_MS.length - 1);
  const next = { ...machine, tries: machine.tries + 1 };
  const ms = RECONNECT_MS[step] as number;
  return enter(next, { status: 'reconnecting', why }, { type: 'wait', ms });
}

/** Retries if any recorder's failure may be temporary. */
function afterFailure<C, N>(
  machine: LinkMachine<C, N>,
  why: RetryReason | null,
  codes: readonly string[],
): Next<C, N> {
  const temporary = codes.filter((code) => !idleReasons.has(code));
  if (temporary.includes('recorder_busy')) return retryLater(machine, 'busy');
  if (temporary.length > 0) return retryLater(machine, why === 'wifi' ? 'wifi' : 'lost');
  const [reason = 'closed'] = codes.map((code) => idleReasons.get(code) ?? 'closed');
  return reason === 'radio_off'
    ? enter(machine, { status: 'unavailable' })
    : enter(machine, { status: 'idle', why: reason });
}

/** Returns the state after an event. A new `epoch` supersedes the work of the previous state. */
export function transition<C, N>(machine: LinkMachine<C, N>, event: LinkEvent<C, N>): Next<C, N> {
  const { link } = machine;
  const unchanged: Next<C, N> = { machine, work: null };
  if ('epoch' in event && event.epoch !== machine.epoch) return unchanged;
  const reset = { ...machine, tries: 0 };
  switch (event.type) {
    case 'disconnect':
      return enter(
        reset,
        event.remembered ? { status: 'idle', why: 'closed' } : { status: 'none' },
      );
    case 'bind':
      return enter(reset, { status: 'binding' });
    case 'bind_ended':
      if (link.status !== 'binding') return unchanged;
      return event.remembered ? open(reset) : enter(reset, { status: 'none' });
    case 'connect': {
      const { sn, byTap } = event;
      const isOther = sn !== null && 'sn' in link && link.sn !== sn;
      // A binding is not interrupted; recorders are reconnected at its end.
      if (link.status === 'binding') return unchanged;
      const isInProgress =
        ['connected', 'hotspot'].includes(link.status) ||
        (link.status === 'connecting' && link.why === null);
      return isInProgress && !isOther ? unchanged : open(reset, { sn, byTap });
    }
    case 'opened': {
      const expected = ['connecting', 'hotspot', 'binding'].includes(link.status);
      if (!expected) return unchanged;
      const { sn, overWifi, connection } = event;
      const connected = { status: 'connected', sn, overWifi, connection } as const;
      return { machine: { ...reset, link: connected }, work: null };
    }
    case 'failed':
      return link.status === 'connecting'
        ? afterFailure(machine, link.why, event.codes)
        : unchanged;
    case 'closed':
      if (link.status !== 'connected' || event.reason === 'closed_by_us') return unchanged;
      if (event.reason === 'radio_off') return enter(machine, { status: 'unavailable' });
      return retryLater(machine, link.overWifi ? 'wifi' : 'lost');
    case 'waited':
      return link.status === 'reconnecting' ? open(machine, { why: link.why }) : unchanged;
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
    case 'unjoined':
      return link.status === 'hotspot' ? retryLater(machine, 'wifi') : unchanged;
    case 'leave_wifi': {
      const inWifi = link.status === 'hotspot' || (link.status === 'connected' && link.overWifi);
      return inWifi ? retryLater(machine, 'wifi') : unchanged;
    }
    case 'adapter':
      return event.isReady ? adapterOn(reset) : adapterOff(machine);
    case 'page_visible':
      return link.status === 'reconnecting' ? open(machine, { why: link.why }) : unchanged;
  }
}

/** As specified, an available adapter opens the link if no connection is in progress. */
function adapterOn<C, N>(machine: LinkMachine<C, N>): Next<C, N> {
  const isWaiting = ['idle', 'unavailable', 'reconnecting'].includes(machine.link.status);
  return isWaiting ? open(machine) : { machine, work: null };
}

/** Handles a disabled adapter. Wi-Fi and binding links detect the loss separately. */
function adapterOff<C, N>(machine: LinkMachine<C, N>): Next<C, N> {
  const { link } = machine;
  const overBluetooth =
    ['connecting', 'reconnecting'].includes(link.status) ||
    (link.status === 'connected' && !link.overWifi);
  return overBluetooth ? enter(machine, { status: 'unavailable' }) : { machine, work: null };
}
