/**
 * The contract of every transport, as cases that each caller registers as tests. They need no test
 * framework, so that they also run inside a browser page.
 */
import { type CloseReason, type Transport, TransportError } from '../transport.ts';

/** Both ends of an open link. */
export interface ContractLink {
  readonly transport: Transport;
  /** The next `count` bytes received by the recorder. Rejects after a timeout. */
  recorderReceives(count: number): Promise<Uint8Array>;
  /** Sends notifications of at most 244 bytes from the recorder, in this order. */
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
  /** Rejects when the transport breaks the contract. */
  run(hooks: ContractHooks): Promise<void>;
}

const TIMEOUT_MS = 60_000;

function within<T>(promise: Promise<T>, description: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`timed out: ${description}`)), TIMEOUT_MS);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function assertSame(actual: unknown, expected: unknown, description: string): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${description}: ${left} instead of ${right}`);
}

function pattern(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 7) & 0xff);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Collects `count` received bytes. */
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
  return within(received, `${count} bytes from the recorder`);
}

async function rejectionCode(action: Promise<unknown>): Promise<string> {
  try {
    await within(action, 'rejection');
  } catch (error) {
    if (error instanceof TransportError) return error.code;
    throw error;
  }
  throw new Error('expected a rejection');
}

function closeReason(transport: Transport): Promise<CloseReason> {
  return within(new Promise((resolve) => transport.onClosed(resolve)), 'close event');
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
        // A write without response must fit the link's payload size, which only the recorder knows.
        const bytes = pattern(withResponse ? size : Math.min(size, 20), size);
        const arrival = link.recorderReceives(bytes.length);
        await link.transport.write(bytes, { withResponse });
        assertSame([...(await arrival)], [...bytes], `${size} bytes`);
      }
    }
  },

  'preserves the order of concurrent writes': async (link) => {
    const parts = Array.from({ length: 40 }, (_, index) => pattern(1 + (index % 20), index));
    const expected = join(parts);
    const arrival = link.recorderReceives(expected.length);
    const writes = parts.map((part, index) =>
      link.transport.write(part, { withResponse: index % 3 === 0 }),
    );
    await within(Promise.all(writes), 'all writes');
    assertSame([...(await arrival)], [...expected], 'all bytes');
  },

  'allows a buffer to be reused once the write resolves': async (link) => {
    const buffer = pattern(20, 1);
    const expected = [...buffer];
    const arrival = link.recorderReceives(20);
    await link.transport.write(buffer, { withResponse: true });
    buffer.fill(0);
    assertSame([...(await arrival)], expected, 'bytes as written');
  },

  'rejects a write beyond the limit and stays usable': async (link) => {
    const tooLong = pattern(link.transport.maxWriteSize + 1, 1);
    const write = link.transport.write(tooLong, { withResponse: true });
    assertSame(await rejectionCode(write), 'write_failed', 'error code');
    const arrival = link.recorderReceives(3);
    await link.transport.write(pattern(3, 1), { withResponse: true });
    await arrival;
  },

  'receives a long burst completely and in order': async (link) => {
    const parts = Array.from({ length: 500 }, (_, index) => pattern(1 + (index % 244), index));
    const expected = join(parts);
    const arrival = receive(link.transport, expected.length);
    await link.recorderSends(...parts);
    assertSame(await arrival.then((bytes) => bytes.length), expected.length, 'size');
    assertSame([...(await arrival)], [...expected], 'bytes');
  },

  'buffers bytes until the first listener is added': async (link) => {
    await link.recorderSends(pattern(30, 1));
    await link.recorderSends(pattern(30, 2));
    const bytes = await receive(link.transport, 60);
    assertSame([...bytes], [...pattern(30, 1), ...pattern(30, 2)], 'bytes');
  },

  'does not call an unsubscribed listener': async (link) => {
    let calls = 0;
    const stop = link.transport.onBytes(() => {
      calls += 1;
    });
    stop();
    stop();
    const arrival = receive(link.transport, 5);
    await link.recorderSends(pattern(5, 1));
    await arrival;
    assertSame(calls, 0, 'calls');
  },

  'reports a lost link once, also to late listeners, and rejects writes': async (link) => {
    let calls = 0;
    link.transport.onClosed(() => {
      calls += 1;
    });
    const reason = closeReason(link.transport);
    await link.breakLink();
    assertSame(await reason, 'link_lost', 'reason');
    assertSame(await closeReason(link.transport), 'link_lost', 'reason for a late listener');
    const write = link.transport.write(pattern(4, 1), { withResponse: true });
    assertSame(await rejectionCode(write), 'link_lost', 'error code');
    await link.transport.close();
    assertSame(calls, 1, 'calls');
  },

  'settles writes that are pending when the link breaks': async (link) => {
    const writes = Array.from({ length: 20 }, (_, index) =>
      link.transport.write(pattern(20, index), { withResponse: index % 2 === 0 }).then(
        () => 'written',
        (error: unknown) => (error instanceof TransportError ? error.code : String(error)),
      ),
    );
    await link.breakLink();
    const outcomes = await within(Promise.all(writes), 'all writes settled');
    const allowed = ['written', 'link_lost', 'write_failed'];
    assertSame(
      outcomes.filter((outcome) => !allowed.includes(outcome)),
      [],
      'other outcomes',
    );
  },

  'reports closing, rejects later writes and may be closed again': async (link) => {
    const reason = closeReason(link.transport);
    await within(link.transport.close(), 'closing');
    assertSame(await reason, 'closed_by_us', 'reason');
    const write = link.transport.write(pattern(4, 1), { withResponse: true });
    assertSame(await rejectionCode(write), 'closed', 'error code');
    await within(link.transport.close(), 'closing again');
  },
};

/** All cases of the contract. */
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
