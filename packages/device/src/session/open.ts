/** Opens a session: negotiates the version, authenticates, and sets the recorder's time. */
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

/** The unit of time zones on the wire: a quarter of an hour. */
const MINUTES_PER_QUARTER = 15;

/** The versions offered in the handshake if a version 2 binding isn't possible. */
const VERSION_1_ONLY = { minVersion: VERSION_1, maxVersion: VERSION_1 } as const;

/**
 * Opens a session on a new link: sends the handshake, authenticates with the token or opens the sealed channel, and sets
 * the time. Closes the link on failure.
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
  // Collect reports that arrive before the session has a listener, such as a firmware update's result.
  const reports: AnyReport[] = [];
  const stopCollecting = link.onReport((report) => reports.push(report));
  const onAbort = () => void link.close();
  const setTime = async () => {
    await link.request('timeSync', currentTime(clock, options.timeZoneMinutes));
  };
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
    const info = readInfo(
      await link.request('handshake', binding ? BOTH_VERSIONS : VERSION_1_ONLY),
    );
    checkVersion(info, binding);
    link.payloadSize = info.payloadSize;
    const isSealed = info.protocolVersion === VERSION_2;
    if (!isSealed) await link.request('token', { token: options.token ?? FIXED_TOKEN });
    else if (binding?.status === 'bound') await openChannel(link, binding.key, info.sn);
    // Before binding, there's no channel yet. `bind` will open it and set the time.
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
 * Prevents a downgrade to version 1 if the phone has a key or the recorder supports version 2.
 * @throws {DeviceError} `version_unsupported`
 */
function checkVersion(
  { protocolVersion, tranVersion }: RecorderInfo,
  binding: OpenSessionOptions['binding'],
): void {
  const allowsVersion1 = !binding || (binding.status === 'new' && tranVersion < VERSION_2);
  const expected = allowsVersion1 ? VERSION_1 : VERSION_2;
  if (protocolVersion !== expected) throw new DeviceError('version_unsupported');
}

function currentTime(clock: Clock, timeZoneMinutes: number | undefined): RequestOf<'timeSync'> {
  const now = clock.now();
  const minutes = timeZoneMinutes ?? -new Date(now).getTimezoneOffset();
  return {
    unixTime: Math.floor(now / 1000),
    timeZone: Math.round(minutes / MINUTES_PER_QUARTER),
  };
}
