/** Runs the conformance kit against correct and deliberately incorrect virtual recorders. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@linnet/device/clock';
import {
  COMMANDS,
  crc16,
  encodeFrame,
  type Frame,
  FrameDecoder,
  RESULTS,
} from '@linnet/device/codec';
import {
  type CheckBinding,
  type CheckReport,
  CLAUSES,
  checkRecorder,
  hasFailed,
  type Verdict,
} from '@linnet/device/conformance';
import { openWebSocket } from '@linnet/transports/websocket';
import { openWifi } from '@linnet/transports/wifi';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { refused, succeeded } from './outcome.ts';
import { PacedClock } from './paced-clock.ts';
import type { Recorder } from './recorder.ts';
import { type RunningRecorder, startRecorder } from './start.ts';
import { type Rewriter, rewriteLink } from './testing/rewriting-link.ts';

/** Speed of the recorders, relative to real time. */
const SPEED = 20;
/** Speed of the recorder's phone timeouts in tests that wait for them, relative to real time. */
const TIMEOUT_SPEED = 2;
/** Upper bound of the response time on a busy machine, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Time for several of the recorder's connection events, in milliseconds. */
const SETTLE_MS = 100;

/** The network that recorders can join. */
const NETWORK = { ssid: 'Home', password: 'under the eaves' } as const;

/** A recorder under test, with the bindings created by its checks. */
type Subject = RunningRecorder & { readonly bindings: Map<string, CheckBinding> };

/** Runs a test with a recorder whose sessions don't fit on a single page of the list. */
async function withRecorder(
  env: Readonly<Record<string, string>>,
  run: (subject: Subject) => Promise<void>,
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'linnet-conformance-'));
  const variables = { RECORDER_PORT: '0', DATA_DIR: dir, RECORDER_SCENES: dir, ...env };
  const running = await startRecorder(readConfig(variables), new PacedClock(SPEED), []);
  const { recorder } = running;
  recorder.faults.networks = [{ ...NETWORK, rssi: -50 }];
  try {
    for (let hour = 9; hour > 0; hour--) {
      const startTime = recorder.unixTime() - 3600 * hour;
      const metadata = { startTime, mode: 'normal', scene: 'note' } as const;
      await recorder.addSession(new Int16Array(16_000), metadata);
    }
    await run({ ...running, bindings: new Map() });
  } finally {
    await running.stop();
    await rm(dir, { recursive: true });
  }
}

type Options = {
  readonly isQuick?: boolean;
  readonly unbinds?: boolean;
  readonly mayBind?: boolean;
  /** Whether this computer is on the network. */
  readonly hasNetwork?: boolean;
  readonly sendsInvalidFirmware?: boolean;
  /** Creates rewriting functions for a link. */
  readonly rewrite?: () => Rewriter;
  readonly advertise?: (advertisement: Record<string, unknown>) => unknown;
};

async function check(
  { recorder, url, bindings }: Subject,
  options: Options = {},
): Promise<CheckReport> {
  const { isQuick = true, unbinds = true, mayBind = true } = options;
  const { hasNetwork = false, sendsInvalidFirmware = false } = options;
  const { advertise = (advertisement) => advertisement } = options;
  return checkRecorder({
    connect: async () =>
      rewriteLink(
        await openWebSocket(`${url.replace('http', 'ws')}/ble`),
        options.rewrite?.() ?? {},
      ),
    supportsSecondConnection: true,
    network: hasNetwork
      ? { ...NETWORK, openLink: (endpoint) => openWifi(endpoint, { deviceId: endpoint.origin }) }
      : undefined,
    sendsInvalidFirmware,
    readAdvertisement: async () => {
      const advertisement = await (await fetch(`${url}/advertisement`)).json();
      return advertise(advertisement as Record<string, unknown>);
    },
    timing: { clock: systemClock, paceMs: 0, timeoutMs: TIMEOUT_MS, settleMs: SETTLE_MS },
    isQuick,
    unbinds,
    loadBinding: async (sn) => bindings.get(sn),
    storeBinding: async (sn, binding) => {
      if (binding) bindings.set(sn, binding);
      else bindings.delete(sn);
    },
    mayBind: async () => mayBind,
    requestConfirmation: () => {
      recorder.press('power', recorder.confirmMs ?? 0).catch((error: unknown) => {
        console.error('failed to confirm', error);
      });
    },
  });
}

/** Speeds up the recorder's phone timeouts. */
function shortenWaits(recorder: Recorder): void {
  recorder.phoneTime = { after: (ms, callback) => systemClock.after(ms / TIMEOUT_SPEED, callback) };
}

function getClauseIds(report: CheckReport, status: Verdict['status']): string[] {
  return report.results
    .filter(({ verdict }) => verdict.status === status)
    .map(({ clause }) => clause.id);
}

const isVersionClause = (version: 1 | 2) => (id: string) => id.startsWith(`version-${version}.`);

describe.concurrent('a correct recorder', () => {
  test('meets every clause, and is left unchanged', () =>
    withRecorder({}, async (subject) => {
      const { recorder } = subject;
      shortenWaits(recorder);
      const settings = { ...recorder.settings };
      const options = { isQuick: false, hasNetwork: true, sendsInvalidFirmware: true };
      const report = await check(subject, options);
      expect(getClauseIds(report, 'kept')).toEqual(CLAUSES.map(({ id }) => id));
      expect(hasFailed(report)).toBe(false);
      expect(report.recorder?.sn).toBe(recorder.flash.state.sn);
      expect(report.leftovers).toEqual([]);
      expect(recorder.isBound).toBe(false);
      expect(recorder.settings).toEqual(settings);
      expect(recorder.flash.sessions().map(({ sessionId }) => sessionId)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8, 9,
      ]);
    }));

  test('passes if it supports only version 1', () =>
    withRecorder({ RECORDER_PROTOCOL: '1' }, async (subject) => {
      const report = await check(subject, { hasNetwork: true, sendsInvalidFirmware: true });
      expect(getClauseIds(report, 'broken')).toEqual([]);
      expect(getClauseIds(report, 'notOffered')).toEqual(
        CLAUSES.map(({ id }) => id).filter(isVersionClause(2)),
      );
      expect(getClauseIds(report, 'notTested')).toEqual([
        'frame.abandoned',
        'version-1.unbind',
        'wifi.absent-network',
        'wifi.hotspot',
        'link.authentication-timeout',
        'link.records',
      ]);
    }));

  test('passes if it lacks optional functions', () =>
    withRecorder({}, async (subject) => {
      const { recorder } = subject;
      recorder.faults.unknownCommands = [
        'generalSetting',
        'recordPause',
        'ledSet',
        'wifiSearch',
        'wifiOpen',
        'wifiConfigure',
        'otaStart',
      ];
      const report = await check(subject, { hasNetwork: true, sendsInvalidFirmware: true });
      expect(getClauseIds(report, 'broken')).toEqual([]);
      expect(getClauseIds(report, 'notOffered')).toEqual([
        'version-1.http',
        'version-1.http-session',
        'settings',
        'settings.report',
        'settings.malformed',
        'led',
        'networks',
        'wifi.recording',
        'firmware.recording',
        'record-pause',
        'wifi.unknown-session',
        'wifi.join',
        'firmware.too-large',
        'firmware.order',
        'firmware.damaged',
        'firmware.unsigned',
      ]);
    }));

  test('stays bound for the next check, which needs no confirmation', () =>
    withRecorder({}, async (subject) => {
      const { recorder } = subject;
      expect(getClauseIds(await check(subject, { unbinds: false }), 'notTested')).toContain(
        'unbind',
      );
      expect(recorder.isBound).toBe(true);
      const again = await check(subject, { mayBind: false });
      expect(getClauseIds(again, 'broken')).toEqual([]);
      expect(getClauseIds(again, 'kept')).toContain('sync.resume');
      expect(recorder.isBound).toBe(false);
    }));

  test('is neither bound nor changed without permission', () =>
    withRecorder({}, async (subject) => {
      const { recorder } = subject;
      const report = await check(subject, { mayBind: false });
      expect(getClauseIds(report, 'broken')).toEqual([]);
      expect(getClauseIds(report, 'notTested')).toContain('record-start');
      // Reading is checked with an existing session, which is not deleted.
      expect(getClauseIds(report, 'notTested')).toContain('delete');
      expect(getClauseIds(report, 'kept')).toContain('sync.resume');
      expect(recorder.isBound).toBe(false);
      expect(recorder.flash.sessions()).toHaveLength(9);
    }));
});

type Mutation = {
  readonly name: string;
  readonly protocol?: '1' | '2';
  /** Changes the recorder itself. */
  readonly mutate?: (recorder: Recorder) => void;
  readonly options?: Options;
  readonly broken: readonly string[];
};

/** Rewrites the frames sent by a version 1 recorder. */
const sending = (toPhone: (frame: Frame) => readonly Frame[]): Options => ({
  rewrite: () => ({ toPhone: (frame) => toPhone(frame).map(encodeFrame) }),
});

const isReport = ({ kind, payload }: Frame, status: number) =>
  kind === 'report' && payload[0] === (status & 0xff) && payload[1] === status >> 8;
const isOk = ({ kind, command, payload }: Frame, number: number) =>
  kind === 'response' && command === number && payload[0] === RESULTS.ok;
const IDLE = 1;
const END = 0x25;
const CHUNK = 0x24;
const START = 0x10;

function withByte(frame: Frame, index: number, value: number): Frame {
  const payload = frame.payload.slice();
  payload[index] = value;
  return { ...frame, payload };
}

/** Replaces the result whenever the recorder rejects a request. */
const refusing = (from: keyof typeof RESULTS, to: keyof typeof RESULTS) =>
  sending((frame) => {
    const isRefusal = frame.kind === 'response' && frame.payload[0] === RESULTS[from];
    return [isRefusal ? withByte(frame, 0, RESULTS[to]) : frame];
  });

/** Rewrites the valid frames received by the recorder. Passes other bytes through. */
const receiving = (createRewriting: () => (frame: Frame) => Frame | null): Options => ({
  rewrite: () => {
    const rewriteFrame = createRewriting();
    return {
      toRecorder: (bytes) => {
        const decoder = new FrameDecoder();
        const [frame, ...others] = decoder.push(bytes);
        const isOneFrame = others.length === 0 && decoder.pending + decoder.skippedBytes === 0;
        if (!frame || !isOneFrame) return bytes;
        const rewritten = rewriteFrame(frame);
        return rewritten && encodeFrame(rewritten);
      },
    };
  },
});

const mutations: readonly Mutation[] = [
  {
    name: 'answers an unknown command as malformed',
    protocol: '1',
    options: refusing('command_unknown', 'request_malformed'),
    broken: ['order.unknown-command', 'unknown-command'],
  },
  {
    name: 'checks the order before the payload',
    protocol: '1',
    options: refusing('request_malformed', 'out_of_order'),
    broken: ['order.malformed', 'settings.malformed'],
  },
  {
    name: 'returns the id of the session before from recordStart',
    protocol: '1',
    options: sending((frame) => [
      // The ID is in the first bytes after the result.
      isOk(frame, START) ? withByte(frame, 1, (frame.payload[1] ?? 0) - 1) : frame,
    ]),
    broken: ['record-start'],
  },
  {
    name: 'has no sequence 0',
    protocol: '1',
    options: sending((frame) => [
      frame.kind === 'response' && frame.sequence === 0 ? { ...frame, sequence: 1 } : frame,
    ]),
    broken: ['frame.sequence'],
  },
  {
    name: 'sends a zero byte after each response',
    protocol: '1',
    options: {
      rewrite: () => ({
        toPhone: ({ kind }, encoded) =>
          kind === 'response' ? [encoded, Uint8Array.of(0)] : [encoded],
      }),
    },
    broken: ['frame.valid'],
  },
  {
    name: 'sends a frame in one notification, whatever its size',
    protocol: '1',
    options: {
      rewrite: () => ({ toPhone: (_, encoded) => [encoded], maxNotificationBytes: 4096 }),
    },
    broken: ['link.payload'],
  },
  {
    name: 'does not verify the CRC-16',
    protocol: '1',
    options: {
      rewrite: () => ({
        toRecorder: (bytes) => {
          const isHandshake = bytes[0] === 0x4c && bytes[4] === 1 && bytes.length >= 14;
          if (!isHandshake || bytes[7] !== 2) return bytes;
          const repaired = bytes.slice();
          const value = crc16(repaired.subarray(2, 12));
          repaired.set([value & 0xff, value >> 8], 12);
          return repaired;
        },
      }),
    },
    broken: ['frame.bad-check'],
  },
  {
    name: 'sends scene 0 in its status',
    protocol: '1',
    options: sending((frame) => [
      isOk(frame, COMMANDS.status.number) && frame.payload[1] === IDLE
        ? withByte(frame, 3, 0)
        : frame,
    ]),
    broken: ['settings', 'fields.defined'],
  },
  {
    name: 'does not report the start of a recording',
    protocol: '1',
    options: sending((frame) => (isReport(frame, 4099) ? [] : [frame])),
    broken: ['record-start.report'],
  },
  {
    name: 'reports the end of a recording with a different size',
    protocol: '1',
    options: sending((frame) => [isReport(frame, 4100) ? withByte(frame, 6, 0x11) : frame]),
    broken: ['record-end.report'],
  },
  {
    name: 'hashes only the bytes that it sends',
    protocol: '1',
    options: {
      rewrite: () => {
        const resumed = new Set<number>();
        return {
          toPhone: (frame, encoded) => {
            const { kind, command, sequence, payload } = frame;
            if (kind !== 'stream') return [encoded];
            if (command === CHUNK && !resumed.has(-sequence)) {
              resumed.add(-sequence);
              if (payload[0] !== 0) resumed.add(sequence);
            }
            const isWrong = command === END && resumed.has(sequence);
            return [isWrong ? encodeFrame(withByte(frame, 4, (payload[4] ?? 0) ^ 1)) : encoded];
          },
        };
      },
    },
    broken: ['sync.resume'],
  },
  {
    name: 'ignores the window',
    protocol: '1',
    options: receiving(() => (frame) => {
      const isStart = frame.kind === 'request' && frame.command === COMMANDS.syncFile.number;
      return isStart && frame.payload.length === 10 ? withByte(frame, 8, 64) : frame;
    }),
    broken: ['sync.window', 'sync.window-zero', 'sync.acknowledge'],
  },
  {
    name: 'does not answer a window of 0',
    protocol: '1',
    options: receiving(() => (frame) => {
      const isStart = frame.kind === 'request' && frame.command === COMMANDS.syncFile.number;
      return isStart && frame.payload.length === 10 && frame.payload[8] === 0 ? null : frame;
    }),
    broken: ['sync.window-zero'],
  },
  {
    name: 'accepts acknowledgements of any stream',
    protocol: '1',
    options: receiving(() => {
      let current = 0;
      return (frame) => {
        if (frame.command === COMMANDS.syncFile.number) current = frame.sequence;
        return frame.kind === 'acknowledgement' ? { ...frame, sequence: current } : frame;
      };
    }),
    broken: ['sync.acknowledge'],
  },
  {
    name: 'does not answer syncStop',
    protocol: '1',
    mutate: ({ faults }) => {
      faults.silentTo = 'syncStop';
    },
    broken: ['order.before-handshake', 'sync.stop'],
  },
  {
    name: 'deletes nothing, but says so',
    mutate: ({ sessions, flash }) => {
      const remove = sessions.delete.bind(sessions);
      sessions.delete = async (sessionId) =>
        flash.session(sessionId)?.closed ? succeeded(undefined) : remove(sessionId);
    },
    broken: ['delete'],
  },
  {
    name: 'uses the id of a deleted session again',
    mutate: ({ sessions, flash }) => {
      const remove = sessions.delete.bind(sessions);
      sessions.delete = async (sessionId) => {
        const removed = await remove(sessionId);
        if (removed.ok) await flash.saveState({ nextSessionId: sessionId });
        return removed;
      };
    },
    broken: ['record-start.new-id'],
  },
  {
    name: 'announces one packet more than a session has',
    mutate: ({ faults }) => {
      faults.lengthLie = 160;
    },
    broken: ['sync.live-end', 'list.recorded', 'sync', 'sync.resume'],
  },
  {
    name: 'forgets the settings',
    mutate: (recorder) => {
      recorder.set = async () => undefined;
    },
    broken: ['settings', 'settings.report', 'led'],
  },
  {
    name: 'does not report the claim',
    mutate: ({ binding, ownership }) => {
      const report = binding.report.bind(binding);
      binding.report = () => {
        if (!ownership.key) report();
      };
    },
    broken: ['version-2.claim'],
  },
  {
    name: 'ignores a repeated record',
    options: {
      rewrite: () => {
        const seen = new Set<string>();
        return {
          toRecorder: (bytes) => {
            if (bytes[2] !== 0x21) return bytes;
            const text = bytes.join(' ');
            if (seen.has(text)) return null;
            seen.add(text);
            return bytes;
          },
        };
      },
    },
    broken: ['version-2.replay'],
  },
  {
    name: 'ignores unsealed frames in a channel',
    options: {
      rewrite: () => {
        let isSealed = false;
        return {
          toRecorder: (bytes) => {
            if (bytes[2] === 0x21) isSealed = true;
            return isSealed && bytes[0] === 0x4c && bytes[2] === 0x10 ? null : bytes;
          },
        };
      },
    },
    broken: ['version-2.clear'],
  },
  {
    name: 'advertises a different serial number',
    options: { advertise: (advertisement) => ({ ...advertisement, sn: 'LNR1OTHER' }) },
    broken: ['advertisement'],
  },
  {
    name: 'advertises a version that it does not speak',
    options: {
      advertise: ({ extendInfo, ...advertisement }) => ({
        ...advertisement,
        extendInfo: { ...(extendInfo as object), tranVersion: 7 },
      }),
    },
    broken: ['advertisement.fields'],
  },
  {
    name: 'advertises that it isn’t bound',
    options: {
      advertise: ({ extendInfo, ...advertisement }) => ({
        ...advertisement,
        extendInfo: { ...(extendInfo as object), isBind: false },
      }),
    },
    broken: ['advertisement.bound'],
  },
  {
    name: 'refuses to start its hotspot with a different result',
    mutate: ({ wifi }) => {
      wifi.open = async () => refused('busy');
    },
    broken: ['wifi.recording', 'wifi.unknown-session'],
  },
  {
    name: 'reports the joined network without a port',
    mutate: ({ wifi }) => {
      Object.defineProperty(wifi, 'httpAddress', {
        get: () => ({ address: new Uint8Array(4), port: 0 }),
      });
    },
    options: { hasNetwork: true },
    broken: ['version-1.http', 'version-1.http-session', 'wifi.join'],
  },
  {
    name: 'accepts every firmware announcement',
    mutate: ({ update }) => {
      update.announce = async () => succeeded({ status: 'ok', nextOffset: 0 });
    },
    broken: ['firmware.recording', 'firmware.too-large', 'firmware.order'],
  },
  {
    name: 'writes the bytes of an image without checking their offset',
    mutate: ({ firmware }) => {
      const receive = firmware.receive.bind(firmware);
      firmware.receive = (_, data) => receive(firmware.nextOffset, data);
    },
    broken: ['firmware.order'],
  },
  {
    name: 'forgets an image that was not completed',
    mutate: ({ firmware }) => {
      const start = firmware.start.bind(firmware);
      firmware.start = async (announcement) => {
        await firmware.discard();
        return start(announcement);
      };
    },
    broken: ['firmware.resume'],
  },
  {
    name: 'installs every image',
    mutate: ({ update, firmware }) => {
      update.finish = async () =>
        succeeded({ status: 'ok', isWaiting: false, nextOffset: firmware.nextOffset });
    },
    options: { sendsInvalidFirmware: true },
    broken: ['firmware.order', 'firmware.damaged', 'firmware.unsigned'],
  },
];

/** Makes a recorder report a different server's address as its own. */
async function replaceServer({ wifi }: Recorder, respond: RequestListener): Promise<Server> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  Object.defineProperty(wifi, 'httpAddress', {
    get: () => ({ address: Uint8Array.of(127, 0, 0, 1), port }),
  });
  return server;
}

describe.concurrent('the check detects a recorder that', () => {
  test.each(mutations)('$name', ({ protocol = '2', mutate, options, broken }) =>
    withRecorder({ RECORDER_PROTOCOL: protocol }, async (subject) => {
      const { flash } = subject.recorder;
      const idsBefore = flash.sessions().map(({ sessionId }) => sessionId);
      mutate?.(subject.recorder);
      expect(getClauseIds(await check(subject, options), 'broken')).toEqual(broken);
      expect(subject.recorder.wifi.status).toBe('off');
      const ids = flash.sessions().map(({ sessionId }) => sessionId);
      expect(ids).toEqual(expect.arrayContaining(idsBefore));
    }),
  );

  test.each([
    ['1', ['version-1.http', 'wifi.preflight', 'wifi.link', 'wifi.close']],
    [
      '2',
      [
        'version-1.http',
        'wifi.preflight',
        'version-2.no-http',
        'version-2.wifi-proof',
        'wifi.link',
        'wifi.close',
      ],
    ],
  ])('answers every request on the network, under version %s', (protocol, broken) =>
    withRecorder({ RECORDER_PROTOCOL: protocol }, async (subject) => {
      const server = await replaceServer(subject.recorder, (_, response) => response.end('[]'));
      const report = await check(subject, { hasNetwork: true });
      server.closeAllConnections();
      server.close();
      expect(getClauseIds(report, 'broken')).toEqual(broken);
    }),
  );

  test.each([
    ['that is not JSON', '[{"sessionId": 1', 'a JSON list of sessions'],
    ['as an object', '{"sessions": []}', 'a JSON list of sessions'],
    ['with incomplete entries', '[{"sessionId": 1}]', 'a JSON list of sessions'],
    ['that is incomplete', null, expect.stringMatching(/^a response from http:/)],
  ])('sends a session list %s', (_, list, expected) =>
    withRecorder({ RECORDER_PROTOCOL: '1' }, async (subject) => {
      const server = await replaceServer(subject.recorder, ({ headers }, response) => {
        if (!headers.authorization) return response.writeHead(401).end();
        if (list !== null) return response.end(list);
        response.writeHead(200, { 'content-length': 100 });
        response.write('[', () => response.destroy());
      });
      const { results } = await check(subject, { hasNetwork: true });
      server.closeAllConnections();
      server.close();
      const result = results.find(({ clause }) => clause.id === 'version-1.http');
      expect(result?.verdict).toMatchObject({ status: 'broken', expected });
      expect(results).toHaveLength(CLAUSES.length);
    }),
  );

  test('claims to join every network, and ignores the naming rule for its hotspot', () =>
    withRecorder({}, async (subject) => {
      const { recorder } = subject;
      shortenWaits(recorder);
      const { wifi } = recorder;
      const configure = wifi.configure.bind(wifi);
      wifi.configure = (_, viewer) => configure(NETWORK, viewer);
      Object.defineProperty(wifi, 'credentials', {
        get: () => ({ ssid: 'Hotspot', password: 'hotspot password' }),
      });
      const report = await check(subject, { isQuick: false });
      expect(getClauseIds(report, 'broken')).toEqual(['wifi.absent-network', 'wifi.hotspot']);
    }));

  test('waits indefinitely for the rest of a frame', () =>
    withRecorder({}, async (subject) => {
      shortenWaits(subject.recorder);
      const rewrite = (): Rewriter => {
        let isWaiting = false;
        return {
          toRecorder: (bytes) => {
            // The header declares 200 bytes, so everything that follows is consumed as payload.
            if (bytes[0] === 0x4c && bytes[7] === 200) isWaiting = true;
            return isWaiting ? null : bytes;
          },
        };
      };
      const report = await check(subject, { isQuick: false, rewrite });
      expect(getClauseIds(report, 'broken')).toEqual(['frame.abandoned']);
    }));

  test('waits indefinitely for the token', () =>
    withRecorder({}, async (subject) => {
      subject.recorder.phoneTime = { after: () => () => undefined };
      const report = await check(subject, { isQuick: false });
      expect(getClauseIds(report, 'broken')).toEqual(['link.authentication-timeout']);
    }));
});
