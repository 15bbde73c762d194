import { fromBase64 } from '@linnet/base';
import type { CallBody, LivePassage, LiveSession } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../clock.ts';
import type { CloudResult } from '../ports/cloud.ts';
import { LiveSender, type LiveSenderOptions } from './live-sender.ts';
import { PACKET_BYTES } from './packet-buffer.ts';

type Body = CallBody<'live/append'>;

/** Creates packets that all differ, so that tests detect lost, repeated and misplaced ones. */
function createPackets(first: number, count: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(count * PACKET_BYTES);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < count; index += 1)
    view.setUint32(index * PACKET_BYTES, first + index);
  return bytes;
}

/** The part of a call that the connection loses. */
type Loss = 'request' | 'response';

/** A server that stores packets as the contract requires, and settles a passage per ten packets. */
class ModelServer {
  readonly packets: number[] = [];
  readonly bodies: Body[] = [];
  readonly losses: Loss[] = [];
  hasEnded = false;
  state: LiveSession['state'] = { status: 'listening' };
  failure: number | null = null;

  async append(body: Body): Promise<CloudResult<LiveSession>> {
    await new Promise((resolve) => setImmediate(resolve));
    const loss = this.losses.shift();
    const lostCall = { ok: false, failure: { kind: 'network', cause: null } } as const;
    if (loss === 'request') return lostCall;
    if (this.failure !== null) {
      return { ok: false, failure: { kind: 'server', code: this.failure, msg: '' } };
    }
    this.bodies.push(body);
    this.#store(body);
    return loss === 'response' ? lostCall : { ok: true, data: this.#session(body.known ?? 0) };
  }

  #store({ first, packets, ended }: Body): void {
    const bytes = fromBase64(packets);
    const count = bytes.length / PACKET_BYTES;
    expect(Number.isInteger(count), 'complete packets').toBe(true);
    if (first > this.packets.length) return;
    const view = new DataView(bytes.buffer);
    for (let index = this.packets.length - first; index < count; index += 1) {
      this.packets.push(view.getUint32(index * PACKET_BYTES));
    }
    if (ended && this.packets.length <= first + count) this.hasEnded = true;
  }

  passage(index: number): LivePassage {
    return { start: index / 5, end: (index + 1) / 5, text: `Passage ${index}.` };
  }

  #session(known: number): LiveSession {
    const settled = Math.floor(this.packets.length / 10);
    const first = Math.min(known, settled);
    return {
      client_flag: 'recording',
      language: 'en',
      received: this.packets.length,
      state: this.state,
      first,
      passages: Array.from({ length: settled - first }, (_, index) => this.passage(first + index)),
      tentative: null,
      updated_at: '2026-03-01T08:00:00Z',
    };
  }
}

/** A clock whose delays take no time. */
function createClock(): Clock & { pass(ms: number): void } {
  let now = 0;
  return {
    now: () => now,
    elapsed: () => now,
    pass: (ms) => {
      now += ms;
    },
    sleep: async (ms, signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      now += ms;
    },
  };
}

/** A device that stores packets durably and can restart the app. */
function createDevice(server: ModelServer, overrides: Partial<LiveSenderOptions> = {}) {
  const clock = createClock();
  const errors: unknown[] = [];
  let file = new Uint8Array();
  const open = () => {
    let callsInFlight = 0;
    return new LiveSender({
      async append(body) {
        callsInFlight += 1;
        expect(callsInFlight, 'calls in flight').toBe(1);
        const result = await server.append(body);
        callsInFlight -= 1;
        return result;
      },
      audio: {
        readPackets: async (_, from, to) => (to <= file.length ? file.slice(from, to) : null),
      },
      language: () => 'en',
      words: async () => [],
      isVisible: () => true,
      clock,
      log: () => {},
      onError: (error) => void errors.push(error),
      ...overrides,
    });
  };
  let sender = open();
  const add = (offset: number, bytes: Uint8Array) => sender.add('recording', offset, bytes, true);
  return {
    clock,
    errors,
    get sender() {
      return sender;
    },
    get text() {
      return sender.texts.get().get('recording');
    },
    /** Records packets. */
    record(count: number): void {
      const offset = file.length;
      const bytes = createPackets(offset / PACKET_BYTES, count);
      file = Uint8Array.from([...file, ...bytes]);
      add(offset, bytes);
    },
    /** Reports the last packets again, as a recorder does after reconnecting. */
    repeat(count: number): void {
      const offset = Math.max(0, file.length - count * PACKET_BYTES);
      add(offset, file.slice(offset));
    },
    restart(): void {
      sender.stop();
      sender = open();
    },
    deleteFile(): void {
      file = new Uint8Array();
    },
    end: () => sender.end('recording', file.length),
    get packets() {
      return file.length / PACKET_BYTES;
    },
  };
}

/** Waits for a condition. Steps take no time. */
async function waitUntil(condition: () => boolean): Promise<void> {
  for (let step = 0; step < 2000; step += 1) {
    if (condition()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('the condition was never true');
}

const steps = async (count: number) => {
  for (let step = 0; step < count; step += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};

const events = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('record' as const), count: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ type: fc.constant('repeat' as const), count: fc.integer({ min: 1, max: 80 }) }),
    fc.record({ type: fc.constant('wait' as const), count: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ type: fc.constant('restart' as const), count: fc.constant(0) }),
    fc.record({
      type: fc.constantFrom<Loss>('request', 'response'),
      count: fc.integer({ min: 1, max: 2 }),
    }),
  ),
  { maxLength: 20 },
);

describe('LiveSender', () => {
  it('delivers each packet once and in order despite lost calls, repeated packets and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(events, async (all) => {
        const server = new ModelServer();
        const device = createDevice(server);
        for (const { type, count } of all) {
          if (type === 'record') device.record(count);
          else if (type === 'repeat') device.repeat(count);
          else if (type === 'wait') await steps(count);
          else if (type === 'restart') device.restart();
          else server.losses.splice(0, Infinity, ...new Array<Loss>(count).fill(type));
        }
        device.record(3);
        device.end();
        await waitUntil(() => device.text?.state.status === 'ended');
        expect(server.packets).toEqual(Array.from({ length: device.packets }, (_, index) => index));
        expect(server.hasEnded).toBe(true);
        expect(device.text?.passages).toEqual(
          Array.from({ length: Math.floor(device.packets / 10) }, (_, index) =>
            server.passage(index),
          ),
        );
        expect(device.errors).toEqual([]);
      }),
    );
  });

  it('sends a long backlog in batches', async () => {
    const server = new ModelServer();
    const device = createDevice(server);
    device.record(10_000);
    device.end();
    await waitUntil(() => device.text?.state.status === 'ended');
    expect(server.packets.length).toBe(10_000);
    expect(server.bodies.map(({ packets }) => fromBase64(packets).length / PACKET_BYTES)).toEqual([
      3750, 3750, 2500,
    ]);
  });

  it('reads packets that no longer fit in memory from the file', async () => {
    const server = new ModelServer();
    const device = createDevice(server);
    // This is six packets more than the ten minutes that fit.
    device.record(6);
    device.record(30_000);
    await waitUntil(() => server.packets.length === 30_006);
    expect(server.packets).toEqual(Array.from({ length: 30_006 }, (_, index) => index));
  });

  it('ends if packets that the server lacks are no longer available', async () => {
    const server = new ModelServer();
    const device = createDevice(server);
    device.record(20);
    device.restart();
    device.deleteFile();
    device.sender.add('recording', 20 * PACKET_BYTES, createPackets(20, 10), true);
    await waitUntil(() => device.text?.state.status === 'stopped');
    expect(device.text?.state).toEqual({ status: 'stopped', reason: 'incomplete' });
    expect(server.packets).toEqual([]);
    expect(device.errors).toEqual([]);
  });

  it.each([
    [codes.notEnoughMinutes, 'minutes'],
    [codes.languageUnavailable, 'language'],
    [codes.engineFailed, 'failed'],
  ] as const)('stops when the server reports %i, and keeps the text', async (code, reason) => {
    const server = new ModelServer();
    const device = createDevice(server);
    device.record(30);
    await waitUntil(() => device.text?.passages.length === 3);
    server.state = { status: 'stopped', error: { code, msg: '' } };
    device.record(10);
    await waitUntil(() => device.text?.state.status === 'stopped');
    expect(device.text?.state).toEqual({ status: 'stopped', reason });
    expect(device.text?.passages.length).toBe(4);
    const calls = server.bodies.length;
    device.record(10);
    device.end();
    await steps(20);
    expect(server.bodies.length).toBe(calls);
  });

  it.each([
    [codes.membersOnly, 'membership'],
    [codes.unknownCall, 'unsupported'],
  ] as const)('stops after a call fails with %i', async (code, reason) => {
    const server = new ModelServer();
    server.failure = code;
    const device = createDevice(server);
    device.record(10);
    await waitUntil(() => device.text?.state.status === 'stopped');
    expect(device.text?.state).toEqual({ status: 'stopped', reason });
  });

  it('polls for outstanding text only while a view shows it and the page is visible', async () => {
    const server = new ModelServer();
    let isVisible = true;
    const device = createDevice(server, { isVisible: () => isVisible });
    device.record(10);
    await waitUntil(() => server.packets.length === 10);
    await steps(20);
    expect(server.bodies.length).toBe(1);
    const unwatch = device.sender.watch('recording');
    await waitUntil(() => server.bodies.length > 3);
    isVisible = false;
    await steps(20);
    const calls = server.bodies.length;
    await steps(20);
    expect(server.bodies.length).toBe(calls);
    isVisible = true;
    device.sender.wake();
    // Polling stops if no new text arrives within ten seconds.
    await steps(200);
    expect(server.bodies.length).toBe(21);
    unwatch();
  });

  it('sends nothing while sending is not allowed, then sends the recording from its beginning', async () => {
    const server = new ModelServer();
    let language: 'fr' | null = null;
    const device = createDevice(server, { language: () => language });
    device.record(10);
    await steps(10);
    expect(device.text).toBeUndefined();
    language = 'fr';
    device.record(10);
    await waitUntil(() => server.packets.length === 20);
    expect(new Set(server.bodies.map((body) => body.language))).toEqual(new Set(['fr']));
    language = null;
    device.record(10);
    await steps(10);
    expect(server.packets.length).toBe(20);
    device.end();
    expect(device.text?.state).toEqual({ status: 'stopped', reason: 'incomplete' });
  });

  it('sends the recording again from its beginning in a new language', async () => {
    const server = new ModelServer();
    let language: 'en' | 'fr' = 'en';
    const device = createDevice(server, { language: () => language });
    device.record(20);
    await waitUntil(() => device.text?.passages.length === 2);
    language = 'fr';
    server.packets.length = 0;
    device.sender.wake();
    await waitUntil(
      () => device.text?.passages.length === 2 && server.bodies.at(-1)?.language === 'fr',
    );
    expect(server.bodies.find((body) => body.language === 'fr')).toMatchObject({ first: 0 });
    device.record(10);
    device.end();
    await waitUntil(() => server.hasEnded);
    expect(server.packets).toHaveLength(30);
  });

  it('sends the recording’s vocabulary when it changes, until the server has it', async () => {
    const server = new ModelServer();
    let words = ['Brambling'];
    const device = createDevice(server, { words: async () => words });
    server.losses.push('request', 'response');
    device.record(10);
    await waitUntil(() => device.text?.passages.length === 1);
    words = ['Brambling', 'Siskin'];
    device.record(10);
    await waitUntil(() => server.packets.length === 20);
    device.record(10);
    await waitUntil(() => server.packets.length === 30);
    const sent = server.bodies.flatMap((body) => (body.words ? [body.words] : []));
    expect(sent).toEqual([['Brambling'], ['Brambling'], ['Brambling', 'Siskin']]);
  });

  it('sends the vocabulary again to a server that has lost the session', async () => {
    const server = new ModelServer();
    const device = createDevice(server, { words: async () => ['Brambling'] });
    device.record(10);
    await waitUntil(() => device.text?.passages.length === 1);
    server.packets.length = 0;
    device.record(10);
    await waitUntil(() => server.packets.length === 20);
    device.record(10);
    await waitUntil(() => server.packets.length === 30);
    expect(server.bodies.filter(({ words }) => words)).toHaveLength(2);
  });

  it('continues without a vocabulary that cannot be read', async () => {
    const server = new ModelServer();
    const device = createDevice(server, {
      words: async () => {
        throw new Error('disk');
      },
    });
    device.record(10);
    device.end();
    await waitUntil(() => server.hasEnded);
    expect(device.errors).toContainEqual(new Error('disk'));
    expect(server.packets).toHaveLength(10);
  });

  it('gives up if the server stays unreachable after the end', async () => {
    const server = new ModelServer();
    server.failure = codes.unavailable;
    const device = createDevice(server);
    device.record(10);
    device.end();
    await waitUntil(() => device.text?.state.status === 'stopped');
    expect(device.clock.now()).toBeGreaterThan(30_000);
  });

  it('ignores a recording that ended earlier, and drops a deleted one', async () => {
    const server = new ModelServer();
    const device = createDevice(server);
    device.sender.add('other', 0, createPackets(0, 10), false);
    device.sender.end('other', 10 * PACKET_BYTES);
    device.record(10);
    device.sender.drop('recording');
    await steps(10);
    expect(device.sender.texts.get().size).toBe(0);
    expect(server.packets.length).toBeLessThanOrEqual(10);
  });

  it('reports an unexpected error instead of throwing it', async () => {
    const server = new ModelServer();
    const device = createDevice(server, {
      append: async () => {
        throw new Error('defect');
      },
    });
    device.record(10);
    await waitUntil(() => device.text?.state.status === 'stopped');
    expect(device.errors).toEqual([new Error('defect')]);
    const brokenDevice = createDevice(server, {
      language: () => {
        throw new Error('no settings');
      },
    });
    expect(() => brokenDevice.record(10)).not.toThrow();
    expect(brokenDevice.errors).toEqual([new Error('no settings')]);
  });
});
