/**
 * The link to the account's recorders as one state machine: what happened goes in; what is so now, and what
 * is to be done for it, come out. It knows no radio and no clock.
 *
 * The specification's connection status 0, 1, 2 (idle, connecting, connected) is what lies beneath: `none`,
 * `idle`, `unavailable` and `hotspot` are 0, `connecting` and `reconnecting` are 1.
 */
import type { CloseReason } from '@linnet/device/transport';

/** Milliseconds between tries to reach recorders that were lost; the last one repeats. */
export const RECONNECT_MS = [500, 1000, 2000, 5000, 10_000, 30_000] as const;

/** Why it is tried again and again: out of range, with another phone, or back from its own network. */
export type WhyTrying = 'lost' | 'busy' | 'wifi';
/** Why nothing is tried: it was closed, the browser wants a tap, or the recorder knows no binding. */
export type WhyIdle = 'closed' | 'needs_tap' | 'unbound';

export type Link =
  /** No recorder is remembered. */
  | { readonly status: 'none' }
  | { readonly status: 'idle'; readonly why: WhyIdle }
  /** A recorder is being bound, over a link of its own; `opened` or `bind_ended` ends that. */
  | { readonly status: 'binding' }
  /** The adapter is off; what brings it back starts over. */
  | { readonly status: 'unavailable' }
  /** `why` is null unless this is one of many tries. */
  | { readonly status: 'connecting'; readonly sn: string | null; readonly why: WhyTrying | null }
  | { readonly status: 'reconnecting'; readonly why: WhyTrying }
  /** The recorder raised its network, and this device has to join it. */
  | { readonly status: 'hotspot'; readonly sn: string }
  | { readonly status: 'connected'; readonly sn: string; readonly overWifi: boolean };

export type LinkMachine = {
  readonly link: Link;
  /** Counts what supersedes all that is under way. */
  readonly epoch: number;
  /** Tries since the last success. */
  readonly tries: number;
};

/** `epoch` says which work an event came of; of an older one it is out of date. */
export type LinkEvent =
  /** Recorders are remembered, or none; nothing is to be tried for now. */
  | { readonly type: 'disconnect'; readonly remembered: boolean }
  | { readonly type: 'bind' }
  | { readonly type: 'bind_ended'; readonly epoch: number; readonly remembered: boolean }
  /** @param sn the one that is wanted; null takes whichever answers, the last used first */
  | { readonly type: 'connect'; readonly sn: string | null; readonly byTap: boolean }
  | {
      readonly type: 'opened';
      readonly epoch: number;
      readonly sn: string;
      readonly overWifi: boolean;
    }
  /** @param codes what each recorder that was tried failed with, in order */
  | { readonly type: 'failed'; readonly epoch: number; readonly codes: readonly string[] }
  | { readonly type: 'closed'; readonly epoch: number; readonly reason: CloseReason }
  | { readonly type: 'waited'; readonly epoch: number }
  | { readonly type: 'hotspot'; readonly epoch: number }
  | { readonly type: 'unjoined'; readonly epoch: number }
  | { readonly type: 'leave_wifi' }
  /** The adapter that all remembered recorders are reached by was switched on, or off. */
  | { readonly type: 'adapter'; readonly isReady: boolean }
  /** The page is looked at again: what waits for its next try need not. */
  | { readonly type: 'seen' };

/** What is to be done for the new state. It ends by itself, with an event, or with its epoch. */
export type LinkWork =
  | {
      readonly type: 'open';
      readonly sn: string | null;
      readonly byTap: boolean;
    }
  /** Milliseconds. */
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'join' };

type Next = { readonly machine: LinkMachine; readonly work: LinkWork | null };

export const disconnected: LinkMachine = { link: { status: 'none' }, epoch: 0, tries: 0 };

/** Failures that pass by themselves have no reason here. */
const idleReasons: ReadonlyMap<string, WhyIdle | 'radio_off'> = new Map([
  ['chooser_needed', 'needs_tap'],
  ['unsupported', 'needs_tap'],
  ['insecure_context', 'needs_tap'],
  ['permission_denied', 'needs_tap'],
  ['chooser_cancelled', 'needs_tap'],
  ['waiting_for_bind', 'unbound'],
  ['binding_unknown', 'unbound'],
  // It was put back to firmware that knows nothing of its key.
  ['version_unsupported', 'unbound'],
  ['token_refused', 'unbound'],
  ['radio_off', 'radio_off'],
]);

/** Whether a recorder refused for good: it knows this account's binding no more. */
export const isUnbound = (code: string) => idleReasons.get(code) === 'unbound';

/** Ends all that is under way. */
function enter(machine: LinkMachine, link: Link, work: LinkWork | null = null): Next {
  return { machine: { link, epoch: machine.epoch + 1, tries: machine.tries }, work };
}

function open(
  machine: LinkMachine,
  { sn = null, byTap = false, why = null }: Partial<OpenOptions> = {},
): Next {
  return enter(machine, { status: 'connecting', sn, why }, { type: 'open', sn, byTap });
}
type OpenOptions = {
  readonly sn: string | null;
  readonly byTap: boolean;
  readonly why: WhyTrying | null;
};

function tryAgain(machine: LinkMachine, why: WhyTrying): Next {
  const step = Math.min(machine.tries, RECONNECT_MS.length - 1);
  const tried = { ...machine, tries: machine.tries + 1 };
  const ms = RECONNECT_MS[step] as number;
  return enter(tried, { status: 'reconnecting', why }, { type: 'wait', ms });
}

/** What may pass by itself is tried again, even where another recorder's failure would not. */
function afterFailure(machine: LinkMachine, why: WhyTrying | null, codes: readonly string[]): Next {
  const passing = codes.filter((code) => !idleReasons.has(code));
  if (passing.includes('recorder_busy')) return tryAgain(machine, 'busy');
  if (passing.length > 0) return tryAgain(machine, why === 'wifi' ? 'wifi' : 'lost');
  const [reason = 'closed'] = codes.map((code) => idleReasons.get(code) ?? 'closed');
  return reason === 'radio_off'
    ? enter(machine, { status: 'unavailable' })
    : enter(machine, { status: 'idle', why: reason });
}

/** The state after `event`; work of the state before has ended where `epoch` is another. */
export function transition(machine: LinkMachine, event: LinkEvent): Next {
  const { link } = machine;
  const stay: Next = { machine, work: null };
  if ('epoch' in event && event.epoch !== machine.epoch) return stay;
  const fresh = { ...machine, tries: 0 };
  switch (event.type) {
    case 'disconnect':
      return enter(
        fresh,
        event.remembered ? { status: 'idle', why: 'closed' } : { status: 'none' },
      );
    case 'bind':
      return enter(fresh, { status: 'binding' });
    case 'bind_ended':
      if (link.status !== 'binding') return stay;
      return event.remembered ? open(fresh) : enter(fresh, { status: 'none' });
    case 'connect': {
      const { sn, byTap } = event;
      const isOther = sn !== null && 'sn' in link && link.sn !== sn;
      // What is being bound is waited for: its own end comes back to the others.
      if (link.status === 'binding') return stay;
      const isUnderWay =
        ['connected', 'hotspot'].includes(link.status) ||
        (link.status === 'connecting' && link.why === null);
      return isUnderWay && !isOther ? stay : open(fresh, { sn, byTap });
    }
    case 'opened': {
      const expected = ['connecting', 'hotspot', 'binding'].includes(link.status);
      if (!expected) return stay;
      const { sn, overWifi } = event;
      return { machine: { ...fresh, link: { status: 'connected', sn, overWifi } }, work: null };
    }
    case 'failed':
      return link.status === 'connecting' ? afterFailure(machine, link.why, event.codes) : stay;
    case 'closed':
      if (link.status !== 'connected' || event.reason === 'closed_by_us') return stay;
      if (event.reason === 'radio_off') return enter(machine, { status: 'unavailable' });
      return tryAgain(machine, link.overWifi ? 'wifi' : 'lost');
    case 'waited':
      return link.status === 'reconnecting' ? open(machine, { why: link.why }) : stay;
    case 'hotspot':
      return link.status === 'connected'
        ? enter(machine, { status: 'hotspot', sn: link.sn }, { type: 'join' })
        : stay;
    case 'unjoined':
      return link.status === 'hotspot' ? tryAgain(machine, 'wifi') : stay;
    case 'leave_wifi': {
      const inWifi = link.status === 'hotspot' || (link.status === 'connected' && link.overWifi);
      return inWifi ? tryAgain(machine, 'wifi') : stay;
    }
    case 'adapter':
      return event.isReady ? adapterOn(fresh) : adapterOff(machine);
    case 'seen':
      return link.status === 'reconnecting' ? open(machine, { why: link.why }) : stay;
  }
}

/** The specification: when it becomes available, a recorder is remembered and no connect is running. */
function adapterOn(machine: LinkMachine): Next {
  const waits = ['idle', 'unavailable', 'reconnecting'].includes(machine.link.status);
  return waits ? open(machine) : { machine, work: null };
}

/** What goes over WiFi, or is being bound, finds out by itself. */
function adapterOff(machine: LinkMachine): Next {
  const { link } = machine;
  const overBluetooth =
    ['connecting', 'reconnecting'].includes(link.status) ||
    (link.status === 'connected' && !link.overWifi);
  return overBluetooth ? enter(machine, { status: 'unavailable' }) : { machine, work: null };
}
