/** Clauses about the hotspot, joined networks, and the service on them. */
import { toHex } from '@linnet/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { generateKeyPair } from '../../channel/index.ts';
import { type ReportOf, VERSION_2 } from '../../codec/index.ts';
import { TransportError } from '../../errors.ts';
import type { WifiAccess } from '../../session/types.ts';
import { type Bench, BOTH_VERSIONS, type CheckEndpoint, ONLY_VERSION_1 } from '../bench.ts';
import type { Clause } from '../clause.ts';
import { listOverHttp, readOverHttp, request } from '../http.ts';
import { property } from '../json.ts';
import type { Probe } from '../probe.ts';
import { readToEnd, startStream, WINDOW } from '../streams.ts';
import { Broken, expectEqual, expectThat, NotOffered, NotTested } from '../verdict.ts';

/** A network that isn't in range. */
const ABSENT_NETWORK = { ssid: 'Linnet check, absent', password: 'absent network' } as const;
/** How long a recorder may take to join a network, or to find that it can't, in milliseconds. */
const JOIN_MS = 60_000;
/** How long a hotspot stays up without a joined device, plus five seconds for the radio, in milliseconds. */
const HOTSPOT_MS = 65_000;
/** How soon after `wifiOpen` a recorder drops Bluetooth if its radio doesn't support both, in milliseconds. */
const DROP_MS = 2000;
/** Interval between connection attempts while the hotspot may still use the radio, in milliseconds. */
const RETRY_MS = 1000;
const MAX_SESSION_ID = 0xffffffff;
/** The close codes of a link under version 2 (PROTOCOL.md, section 10). */
const CLOSE = { refused: 4010, used: 4012 } as const;
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'Authorization, Range, If-Range',
  'access-control-expose-headers': 'Content-Range, ETag',
} as const;

/** Whether joining a network has ended. */
function isSettled({ state }: ReportOf<'wifiChanged'>): boolean {
  return state === 'joined' || state === 'failed';
}

function getOrigin({ address, port }: ReportOf<'wifiChanged'>): string {
  return `http://${address.join('.')}:${port}`;
}

/** Runs steps after which Wi-Fi may be on. If they fail, has the recorder turn it off and forget the network. */
export async function closeWifiOnFailure<T>(probe: Probe, steps: () => Promise<T>): Promise<T> {
  try {
    return await steps();
  } catch (error) {
    // The first failure is the verdict.
    await probe.request('wifiClose', {}).catch(() => undefined);
    throw error;
  }
}

/**
 * Has the recorder join the network of this computer.
 * @throws {Broken | NotOffered | NotTested}
 */
async function join(bench: Bench, probe: Probe): Promise<CheckEndpoint> {
  const { network } = bench.options;
  if (!network) throw new NotTested('skipped without --network');
  const { ssid, password } = network;
  const receivedBefore = probe.received.length;
  const { token } = await probe.succeedIfOffered('wifiConfigure', { ssid, password });
  return closeWifiOnFailure(probe, () =>
    finishJoining(probe, { ssid, since: receivedBefore, token }),
  );
}

/** Waits until the recorder has joined. @throws {Broken | NotTested} */
async function finishJoining(
  probe: Probe,
  { ssid, since, token }: { ssid: string; since: number; token: Uint8Array },
): Promise<CheckEndpoint> {
  const report = await probe.waitForReport('wifiChanged', since, isSettled, JOIN_MS);
  if (report.state === 'failed') throw new NotTested(`the recorder could not join ${ssid}`);
  const isReachable = report.port > 0 && report.address.some((number) => number > 0);
  expectThat(isReachable, 'an address and a port in report 4108', getOrigin(report));
  const isSecret = token.some((byte) => byte > 0);
  expectThat(isSecret, '16 random bytes as the token from wifiConfigure', 'zeroes');
  const access: WifiAccess =
    probe.channel === undefined
      ? { version: 1, token: toHex(token) }
      : { version: 2, secret: toHex(token) };
  return { origin: getOrigin(report), ...access };
}

/** Returns the service on the joined network. @throws {NotTested} */
function getEndpoint(bench: Bench): CheckEndpoint {
  if (!bench.endpoint) throw new NotTested('the recorder has not joined a network');
  return bench.endpoint;
}

/** Returns the service of a recorder that is bound under version 2. @throws {NotOffered | NotTested} */
function getSealedEndpoint(bench: Bench): Extract<CheckEndpoint, { version: 2 }> {
  if (bench.getFacts().info.version !== VERSION_2) {
    throw new NotOffered('the recorder supports only version 1');
  }
  const endpoint = getEndpoint(bench);
  if (endpoint.version === 1) throw new NotTested('the recorder is bound under version 1');
  return endpoint;
}

/** Leaves the network, and checks that this is reported and that the service ends. @throws {Broken} */
async function leave(probe: Probe, endpoint: CheckEndpoint): Promise<void> {
  const receivedBefore = probe.received.length;
  await probe.succeed('wifiClose', {});
  await probe.waitForReport('wifiChanged', receivedBefore, ({ state }) => state === 'off');
  const isServed = await request(endpoint, '/sessions').then(
    () => true,
    () => false,
  );
  expectThat(!isServed, `no service at ${endpoint.origin} after wifiClose`, 'a response');
}

/** Tries to open a link over the network. @returns the code with which the recorder closed it, or null if it opened */
async function refusalCode(
  bench: Bench,
  endpoint: CheckEndpoint,
): Promise<number | 'no connection' | null> {
  try {
    const link = await bench.options.network?.openLink(endpoint);
    await link?.close();
    return null;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { cause } = error;
    const code = property(cause, 'code');
    return typeof code === 'number' ? code : 'no connection';
  }
}

/**
 * Has a recorder that is bound under version 1 join a network, runs the steps against its service, then has it leave.
 * @throws {Broken | NotOffered | NotTested}
 */
async function withHttp(
  bench: Bench,
  probe: Probe,
  steps: (endpoint: Extract<CheckEndpoint, { version: 1 }>) => Promise<void>,
): Promise<void> {
  const endpoint = await join(bench, probe);
  await closeWifiOnFailure(probe, async () => {
    if (endpoint.version !== 1) throw new NotTested('the recorder is bound under version 2');
    await steps(endpoint);
    await leave(probe, endpoint);
  });
}

/**
 * Checks which requests the HTTP service of version 1 accepts.
 * @throws {Broken | NotOffered | NotTested}
 */
export async function checkHttp(bench: Bench, probe: Probe): Promise<void> {
  await withHttp(bench, probe, async (endpoint) => {
    const { token } = endpoint;
    const responseWithoutToken = await request(endpoint, '/sessions');
    expectEqual('the status without the token', responseWithoutToken.status, 401);
    await listOverHttp(endpoint, token);
    const headers = { Authorization: `Bearer ${token}` };
    const unknown = await request(endpoint, `/sessions/${MAX_SESSION_ID}`, { headers });
    expectEqual('the status for an unknown session', unknown.status, 404);
    const other = { ...endpoint, token: toHex(new Uint8Array(token.length / 2)) };
    const isRefused = (await refusalCode(bench, other)) !== null;
    expectThat(isRefused, 'no link with a different token', 'a link');
  });
}

/**
 * Reads the shortest complete session over HTTP under version 1.
 * @throws {Broken | NotOffered | NotTested}
 */
export async function checkHttpSession(bench: Bench, probe: Probe): Promise<void> {
  await withHttp(bench, probe, async (endpoint) => {
    const listed = await listOverHttp(endpoint, endpoint.token);
    const completeSessions = listed.filter(
      ({ sha256: hash, fileSize }) => hash !== null && fileSize > 0,
    );
    const [shortest] = completeSessions.toSorted((a, b) => a.fileSize - b.fileSize);
    if (!shortest) throw new NotTested('the recorder has no complete session');
    const read = await readOverHttp(endpoint, endpoint.token, shortest.sessionId);
    expectEqual('fileSize in the list', shortest.fileSize, read.size);
    expectEqual('sha256 in the list', `${shortest.sha256}`, read.hash);
  });
}

/** Reads the shortest of the first sessions, if there are any. @throws {Broken} */
async function readShortest(probe: Probe): Promise<void> {
  const { items } = await probe.succeed('sessionList', { afterSessionId: 0 });
  const completeSessions = items.filter(
    ({ attr, fileSize }) => !attr.stillRecording && fileSize > 0,
  );
  const [shortest] = completeSessions.toSorted((a, b) => a.fileSize - b.fileSize);
  if (!shortest) return;
  const { sessionId, fileSize } = shortest;
  const { sequence } = await startStream(probe, { sessionId, fromChunk: 0, window: WINDOW });
  const { bytes, end } = await readToEnd(probe, sequence, 0);
  expectEqual('the number of streamed bytes', bytes.length, fileSize);
  expectEqual('the SHA-256 in the end frame', toHex(end.sha256), toHex(sha256(bytes)));
}

export const wifiClauses: readonly Clause[] = [
  {
    id: 'wifi.unknown-session',
    section: 'wifiopen--0x40',
    title: 'does not start its hotspot for an unknown session (40)',
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getIdleLink();
      const sessions = [{ sessionId: MAX_SESSION_ID }];
      const situation = 'for an unknown session';
      await closeWifiOnFailure(probe, () =>
        probe.expectRefusalIfOffered('wifiOpen', { sessions }, 'session_unknown', situation),
      );
    },
  },
  {
    id: 'wifi.absent-network',
    section: 'wificonfigure--0x43',
    title: 'reports that it could not join a network that is not in range (4108)',
    requires: 'optional',
    async check(bench) {
      if (bench.options.isQuick)
        throw new NotTested('takes several seconds; skipped in a quick check');
      const probe = await bench.getIdleLink();
      const receivedBefore = probe.received.length;
      await probe.succeedIfOffered('wifiConfigure', ABSENT_NETWORK);
      await closeWifiOnFailure(probe, async () => {
        const { state } = await probe.waitForReport(
          'wifiChanged',
          receivedBefore,
          isSettled,
          JOIN_MS,
        );
        expectEqual('state in report 4108', state, 'failed');
      });
      await probe.succeed('wifiClose', {});
    },
  },
  {
    id: 'wifi.join',
    section: 'wificonfigure--0x43',
    title: 'joins a network, and reports its address there (4108)',
    requires: 'optional',
    async check(bench) {
      bench.endpoint = await join(bench, await bench.getIdleLink());
    },
  },
  {
    id: 'wifi.preflight',
    section: '10-http-over-wi-fi',
    title: "answers browsers' preflight requests without a token",
    requires: 'optional',
    async check(bench) {
      const response = await request(getEndpoint(bench), '/sessions', { method: 'OPTIONS' });
      expectEqual('the status of OPTIONS', response.status, 204);
      for (const [name, value] of Object.entries(CORS)) {
        expectEqual(name, response.headers.get(name) ?? 'none', value);
      }
    },
  },
  {
    id: 'version-2.no-http',
    section: 'a-link-under-version-2',
    title: 'serves nothing over HTTP but the link (403)',
    requires: 'optional',
    async check(bench) {
      const endpoint = getSealedEndpoint(bench);
      const headers = { Authorization: `Bearer ${endpoint.secret}` };
      for (const path of ['/sessions', `/sessions/${bench.take?.sessionId ?? 1}`]) {
        const { status } = await request(endpoint, path, { headers });
        expectEqual(`the status of GET ${path}`, status, 403);
      }
    },
  },
  {
    id: 'version-2.wifi-proof',
    section: 'a-link-under-version-2',
    title: 'refuses a link with a proof made with a different secret (close code 4010)',
    requires: 'optional',
    async check(bench) {
      const endpoint = { ...getSealedEndpoint(bench), secret: toHex(new Uint8Array(16)) };
      const code = await refusalCode(bench, endpoint);
      expectEqual('the close code', code ?? 'a link', CLOSE.refused);
    },
  },
  {
    id: 'wifi.link',
    section: 'the-link',
    title: 'carries a link like Bluetooth, but refuses to bind over it',
    requires: 'optional',
    async check(bench) {
      const endpoint = getEndpoint(bench);
      const transport = await bench.options.network?.openLink(endpoint);
      if (!transport) return;
      bench.hasOpenedWifiLink = true;
      const probe = bench.createProbe(transport);
      try {
        const isSealed = endpoint.version === VERSION_2;
        await bench.negotiate(probe, isSealed ? BOTH_VERSIONS : ONLY_VERSION_1);
        if (isSealed) {
          const { publicKey } = generateKeyPair();
          await probe.expectRefusal('agreeKey', { publicKey }, ['wifi_mode'], 'over Wi-Fi');
        }
        await bench.authorize(probe);
        await probe.succeed('status', {});
        await readShortest(probe);
      } finally {
        await probe.close();
      }
    },
  },
  {
    id: 'version-2.wifi-once',
    section: 'a-link-under-version-2',
    title: 'refuses a second link with the same secret (close code 4012)',
    requires: 'optional',
    async check(bench) {
      const endpoint = getSealedEndpoint(bench);
      if (!bench.hasOpenedWifiLink) throw new NotTested('no link over Wi-Fi could be opened');
      const code = await refusalCode(bench, endpoint);
      expectEqual('the close code', code ?? 'a link', CLOSE.used);
    },
  },
  {
    id: 'wifi.close',
    section: 'wificlose--0x41',
    title: 'leaves the network on wifiClose, and reports this (4108)',
    requires: 'optional',
    async check(bench) {
      const endpoint = getEndpoint(bench);
      bench.endpoint = undefined;
      await leave(await bench.getLink(), endpoint);
    },
  },
];

/** Clauses about the hotspot, which may end the Bluetooth link. They follow the cleanup. */
export const hotspotClauses: readonly Clause[] = [
  {
    id: 'wifi.hotspot',
    section: 'wifiopen--0x40',
    title: 'starts its hotspot, and serves Bluetooth again 60 s later if no device has joined',
    requires: 'optional',
    async check(bench) {
      if (bench.options.isQuick) throw new NotTested('takes a minute; skipped in a quick check');
      const { sn } = bench.getFacts().info;
      const probe = await bench.getIdleLink();
      const { ssid, password, port } = await probe.succeedIfOffered('wifiOpen', { sessions: [] });
      await expectBluetooth(bench, probe);
      // A recorder whose radio supports both has kept the link.
      await (await bench.getLink()).succeed('wifiClose', {});
      expectEqual('the ssid from wifiOpen', ssid, `${sn.slice(0, 4)}-9-${sn.slice(-4)}`);
      expectThat(password.length > 0, 'a password from wifiOpen', 'none');
      expectThat(port > 0, 'a port from wifiOpen', `${port}`);
    },
  },
];

/** Waits until the recorder serves Bluetooth, after it has had time to drop the link. @throws {Broken} */
async function expectBluetooth(bench: Bench, dropped: Probe): Promise<void> {
  await dropped.waitForClose('the link to be closed', DROP_MS).catch((error: unknown) => {
    if (!(error instanceof Broken)) throw error;
  });
  const { clock } = bench.options.timing;
  const end = clock.elapsed() + HOTSPOT_MS;
  for (;;) {
    try {
      await (await bench.getLink()).succeed('status', {});
      return;
    } catch (error) {
      const isLost = error instanceof TransportError || error instanceof Broken;
      if (!isLost && !(error instanceof NotTested)) throw error;
      if (clock.elapsed() >= end)
        throw new Broken('Bluetooth again 60 s after wifiOpen', error.message);
    }
    await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
  }
}
