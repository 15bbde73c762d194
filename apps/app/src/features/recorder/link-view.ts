import type { Hotspot } from '@linnet/device/session';
import type { LinkState } from '../../ports/recorder.ts';
import type { Connection } from './connection.ts';
import type { Link } from './link-machine.ts';

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/** A link state without the recorder's serial number and name. */
type AnonymousState = DistributiveOmit<Exclude<LinkState, { status: 'none' }>, 'sn' | 'name'>;

/**
 * Maps the link to the state that pages show. Waiting for a retry and the retry itself both appear as `reconnecting`,
 * and binding appears as `connecting`.
 */
export function toLinkState(
  link: Exclude<Link<Connection, Hotspot>, { status: 'none' }>,
): AnonymousState {
  switch (link.status) {
    case 'idle':
    case 'unavailable':
    case 'reconnecting':
      return link;
    case 'binding':
      return { status: 'connecting' };
    case 'connecting':
      return link.reason === null
        ? { status: 'connecting' }
        : { status: 'reconnecting', reason: link.reason };
    case 'hotspot': {
      const { joining, network } = link;
      return { status: 'hotspot', joining, ssid: network.ssid, password: network.password };
    }
    case 'connected':
      return { status: 'connected', recorder: link.connection.view.get() };
  }
}
