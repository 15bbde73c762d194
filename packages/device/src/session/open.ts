/** Opens a session: version negotiation, authentication and time. */
import { type Clock, systemClock } from '../clock.ts';
import {
  type AnyReport,
  FIXED_TOKEN,
  type RequestOf,
  VERSION_1,
  VERSION_2,
} from '../codec/index.ts';
import { DeviceError } from '../errors.ts';
import type { Transport } from '../transport.ts';
import { Link } from './link.ts';
import { BOTH_VERSIONS, openChannel } from './open-channel.ts';
import { Session } from './recorder-session.ts';
import { readInfo } from './response-mapping.ts';
import type { OpenSessionOptions, RecorderInfo, RecorderSession } from './types.ts';

/** The time zone on the wire is in quarter hours. */
const MINUTES_PER_QUARTER = 15;

/** Versions offered in the handshake to an unbound recorder without key agreement. */
const VERSION_1_ONLY = { minVersion: VERSION_1, maxVersion: VERSION_1 } as const;

/**
 * Opens a session on a new link: handshake, token or sealed channel, and time. Closes the link on failure.
 * @throws {DeviceError} `version_unsupported`, `token_refused`, `binding_unknown`, `timeout`, `link_lost`,
 *   `aborted`
 */
export async function openRecorderSession(
  transport: Transport,
  options: OpenSessionOptions = {},
): Promise<RecorderSession> {
  const clock = options.clock ?? systemClock;
  const { signal, binding } = options;
  const link = new Link(transport, clock);
  // Reports may arrive before the session has a listener, such as the result of a firmware update.
  const reports: AnyReport[] = [];
  const stopCollecting = link.onReport((report) => reports.push(report));
  const onAbort = () => void link.close();
  const setTime = async () => {
    await link.request('timeSync', timeNow(clock, options.timeZoneMinutes));
  };
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
    const info = readInfo(
      await link.request('handshake', binding ? BOTH_VERSIONS : VERSION_1_ONLY),
    );
    assertVersion(info, binding);
    link.payloadSize = info.payloadSize;
    const isSealed = info.protocolVersion === VERSION_2;
    if (!isSealed) await link.request('token', { token: options.token ?? FIXED_TOKEN });
    else if (binding?.status === 'bound') await openChannel(link, binding.key, info.sn);
    // Before a bind there is no channel yet; `bind` opens it and sets the time.
    if (!isSealed || binding?.status === 'bound') await setTime();
    return new Session(transport, link, clock, info, setTime, { reports, stop: stopCollecting });
  } catch (error) {
    await link.close();
    if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * Prevents a downgrade to version 1 when the phone has a key or the recorder supports version 2.
 * @throws {DeviceError} `version_unsupported`
 */
function assertVersion(
  { protocolVersion, tranVersion }: RecorderInfo,
  binding: OpenSessionOptions['binding'],
): void {
  const allowsVersion1 = !binding || (binding.status === 'new' && tranVersion < VERSION_2);
  const expected = allowsVersion1 ? VERSION_1 : VERSION_2;
  if (protocolVersion !== expected) throw new DeviceError('version_unsupported');
}

function timeNow(clock: Clock, timeZoneMinutes: number | undefined): RequestOf<'timeSync'> {
  const now = clock.now();
  const minutes = timeZoneMinutes ?? -new Date(now).getTimezoneOffset();
  return {
    unixTime: Math.floor(now / 1000),
    timeZone: Math.round(minutes / MINUTES_PER_QUARTER),
  };
}
