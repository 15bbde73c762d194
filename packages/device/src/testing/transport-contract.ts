/**
 * Tests that a transport fulfills its contract. The cases don't depend on a test framework, so they can also run in a
 * browser page. Callers register them as tests.
 */
import { type CloseReason, type Transport, TransportError } from '../transport.ts';

/** An open link, with control over its other end. */
export interface ContractLink {
  readonly transport: Transport;
  /** Returns the next `count` bytes that the recorder receives. Rejects after a timeout. */
  recorderReceives(count: number): Promise<Uint8Array>;
  /** Sends notifications from the recorder, in this order. Each must have at most 244 bytes. */
  recorderSends(...notifications: Uint8Array[]): Promise<void>;
  /** Breaks the link without a disconnect request. */
  breakLink(): Promise<void>;
}

export interface ContractHooks {
  /** Opens a new link for each case. The previous link may still be open. */
  open(): Promise<ContractLink>;
}

export interface ContractCase {
  readonly name: string;
  /** Runs the case. Rejects if the transport violates the contract. */
  run(hooks: ContractHooks): Promise<void>;
}

const TIMEOUT_MS = 60_000;

function withTimeout<T>(promise: Promise<T>, description: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`timed out: ${description}`)), TIMEOUT_MS);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function assertSame(actual: unknown, expected: unknown, description: string): void {
  const actualJson = JSON.stringify(actual);
  const expectedJson = JSON.stringify(expected);
  if (actualJson !== expectedJson) {
    throw new Error(`${description}: ${actualJson} instead of ${expectedJson}`);
  }
}

function createPattern(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 7) & 0xff);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Returns the next `count` bytes that the transport receives. */
function receive(transport: Transport, count: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const received = new Promise<Uint8Array>((resolve) => {
    transport.onBytes((bytes) => {
      parts.push(bytes);
      size += bytes.length;
      if (size >= count) resolve(join(parts));
    });
  });
  return withTimeout(received, `${count} bytes from the recorder`);
}

async function rejectionCode(action: Promise<unknown>): Promise<string> {
  try {
    await withTimeout(action, 'rejection');
  } catch (error) {
    if (error instanceof TransportError) return error.code;
    throw error;
  }
  throw new Error('expected a rejection');
}

function waitForClose(transport: Transport): Promise<CloseReason> {
  return withTimeout(new Promise((resolve) => transport.onClosed(resolve)), 'close event');
}

const cases: Record<string, (link: ContractLink) => Promise<void>> = {
  'exposes its id and write size': async ({ transport }) => {
    assertSame(transport.deviceId.length > 0, true, 'has an id');
    const { maxWriteSize } = transport;
    assertSame(maxWriteSize >= 20 && maxWriteSize <= 512, true, `maxWriteSize ${maxWriteSize}`);
  },

  'delivers writes of every size unchanged, with and without response': async (link) => {
    for (const size of [1, 19, 20, 21, link.transport.maxWriteSize]) {
      for (const withResponse of [true, false]) {
        // A write without response must not exceed the link's payload size, which only the recorder knows.
        const bytes = createPattern(withResponse ? size : Math.min(size, 20), size);
        const received = link.recorderReceives(bytes.length);
        await link.transport.write(bytes, { withResponse });
        assertSame([...(await received)], [...bytes], `${size} bytes`);
      }
    }
  },

  'preserves the order of concurrent writes': async (link) => {
    const parts = Array.from({ length: 40 }, (_, index) => createPattern(1 + (index % 20), index));
    const expected = join(parts);
    const received = link.recorderReceives(expected.length);
    const writes = parts.map((part, index) =>
      link.transport.write(part, { withResponse: index % 3 === 0 }),
    );
    await withTimeout(Promise.all(writes), 'all writes');
    assertSame([...(await received)], [...expected], 'all bytes');
  },

  'allows a buffer to be reused once the write resolves': async (link) => {
    const buffer = createPattern(20, 1);
    const expected = [...buffer];
    const received = link.recorderReceives(20);
    await link.transport.write(buffer, { withResponse: true });
    buffer.fill(0);
    assertSame([...(await received)], expected, 'bytes as written');
  },

  'rejects a write beyond the limit and remains usable': async (link) => {
    const tooLong = createPattern(link.transport.maxWriteSize + 1, 1);
    const write = link.transport.write(tooLong, { withResponse: true });
    assertSame(await rejectionCode(write), 'write_failed', 'error code');
    const received = link.recorderReceives(3);
    await link.transport.write(createPattern(3, 1), { withResponse: true });
    await received;
  },

  'receives a long burst completely and in order': async (link) => {
    const parts = Array.from({ length: 500 }, (_, index) =>
      createPattern(1 + (index % 244), index),
    );
    const expected = join(parts);
    const received = receive(link.transport, expected.length);
    await link.recorderSends(...parts);
    assertSame(await received.then((bytes) => bytes.length), expected.length, 'size');
    assertSame([...(await received)], [...expected], 'bytes');
  },

  'buffers bytes until the first listener is added': async (link) => {
    await link.recorderSends(createPattern(30, 1));
    await link.recorderSends(createPattern(30, 2));
    const bytes = await receive(link.transport, 60);
    assertSame([...bytes], [...createPattern(30, 1), ...createPattern(30, 2)], 'bytes');
  },

  'does not call an unsubscribed listener': async (link) => {
    let calls = 0;
    const stop = link.transport.onBytes(() => {
      calls += 1;
    });
    stop();
    stop();
    const received = receive(link.transport, 5);
    await link.recorderSends(createPattern(5, 1));
    await received;
    assertSame(calls, 0, 'calls');
  },

  'reports a lost link once, even to late listeners, and rejects writes': async (link) => {
    let calls = 0;
    link.transport.onClosed(() => {
      calls += 1;
    });
    const reason = waitForClose(link.transport);
    await link.breakLink();
    assertSame(await reason, 'link_lost', 'reason');
    assertSame(await waitForClose(link.transport), 'link_lost', 'reason for a late listener');
    const write = link.transport.write(createPattern(4, 1), { withResponse: true });
    assertSame(await rejectionCode(write), 'link_lost', 'error code');
    await link.transport.close();
    assertSame(calls, 1, 'calls');
  },

  'settles writes that are pending when the link breaks': async (link) => {
    const writes = Array.from({ length: 20 }, (_, index) =>
      link.transport.write(createPattern(20, index), { withResponse: index % 2 === 0 }).then(
        () => 'written',
        (error: unknown) => (error instanceof TransportError ? error.code : String(error)),
      ),
    );
    await link.breakLink();
    const outcomes = await withTimeout(Promise.all(writes), 'all writes settled');
    const allowed = ['written', 'link_lost', 'write_failed'];
    assertSame(
      outcomes.filter((outcome) => !allowed.includes(outcome)),
      [],
      'other outcomes',
    );
  },

  'reports that it was closed, rejects later writes, and can be closed again': async (link) => {
    const reason = waitForClose(link.transport);
    await withTimeout(link.transport.close(), 'closing');
    assertSame(await reason, 'closed_by_us', 'reason');
    const write = link.transport.write(createPattern(4, 1), { withResponse: true });
    assertSame(await rejectionCode(write), 'closed', 'error code');
    await withTimeout(link.transport.close(), 'closing again');
  },
};

/** The cases of the contract. */
export const transportContract: readonly ContractCase[] = Object.entries(cases).map(
  ([name, check]) => ({
    name,
    run: async (hooks) => {
      const link = await hooks.open();
      try {
        await check(link);
      } finally {
        await link.transport.close();
      }
    },
  }),
);
