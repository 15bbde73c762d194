/**
 * What every transport must do. The cases need no test framework, so that they also run inside a
 * browser page; whoever runs them turns each into a test of their own.
 */
import { type CloseReason, type Transport, TransportError } from '../transport.ts';

/** An open link, seen from both ends. All of it is required: nothing is left unasked. */
export interface ContractLink {
  readonly transport: Transport;
  /** The next `count` bytes that reach the recorder. Rejects when they do not come. */
  recorderReceives(count: number): Promise<Uint8Array>;
  /** The recorder sends notifications of at most 244 bytes, in this order. */
  recorderSends(...notifications: Uint8Array[]): Promise<void>;
  /** The link breaks without a word from us. */
  breakLink(): Promise<void>;
}

export interface ContractHooks {
  /** A fresh link for each case; the last one may be closed already or not. */
  open(): Promise<ContractLink>;
}

export interface ContractCase {
  readonly name: string;
  /** Rejects when the transport breaks the contract. */
  run(hooks: ContractHooks): Promise<void>;
}

const PATIENCE_MS = 60_000;

function within<T>(promise: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`did not happen: ${what}`)), PATIENCE_MS);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function same(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${what}: ${left} instead of ${right}`);
}

function pattern(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 7) & 0xff);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Collects what arrives until there are `count` bytes. */
function receive(transport: Transport, count: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const all = new Promise<Uint8Array>((resolve) => {
    transport.onBytes((bytes) => {
      parts.push(bytes);
      size += bytes.length;
      if (size >= count) resolve(join(parts));
    });
  });
  return within(all, `${count} bytes from the recorder`);
}

async function refusal(action: Promise<unknown>): Promise<string> {
  try {
    await within(action, 'a refusal');
  } catch (error) {
    if (error instanceof TransportError) return error.code;
    throw error;
  }
  throw new Error('was not refused');
}

function closing(transport: Transport): Promise<CloseReason> {
  return within(new Promise((resolve) => transport.onClosed(resolve)), 'the end of the link');
}

const cases: Record<string, (link: ContractLink) => Promise<void>> = {
  'says what it is': async ({ transport }) => {
    same(transport.deviceId.length > 0, true, 'has an id');
    const { maxWriteSize } = transport;
    same(maxWriteSize >= 20 && maxWriteSize <= 512, true, `maxWriteSize ${maxWriteSize}`);
  },

  'writes of every size arrive unchanged, with and without response': async (link) => {
    for (const size of [1, 19, 20, 21, link.transport.maxWriteSize]) {
      for (const withResponse of [true, false]) {
        // Without response a write must fit the link's payload, which only the recorder knows.
        const bytes = pattern(withResponse ? size : Math.min(size, 20), size);
        const arrival = link.recorderReceives(bytes.length);
        await link.transport.write(bytes, { withResponse });
        same([...(await arrival)], [...bytes], `${size} bytes`);
      }
    }
  },

  'writes that do not wait for each other keep their order': async (link) => {
    const parts = Array.from({ length: 40 }, (_, index) => pattern(1 + (index % 20), index));
    const whole = join(parts);
    const arrival = link.recorderReceives(whole.length);
    const writes = parts.map((part, index) =>
      link.transport.write(part, { withResponse: index % 3 === 0 }),
    );
    await within(Promise.all(writes), 'all writes');
    same([...(await arrival)], [...whole], 'all bytes');
  },

  'a buffer may be used again once the write resolved': async (link) => {
    const buffer = pattern(20, 1);
    const expected = [...buffer];
    const arrival = link.recorderReceives(20);
    await link.transport.write(buffer, { withResponse: true });
    buffer.fill(0);
    same([...(await arrival)], expected, 'bytes as written');
  },

  'a write beyond the limit is refused and the link lives on': async (link) => {
    const tooLong = pattern(link.transport.maxWriteSize + 1, 1);
    same(await refusal(link.transport.write(tooLong, { withResponse: true })), 'write_failed', '');
    const arrival = link.recorderReceives(3);
    await link.transport.write(pattern(3, 1), { withResponse: true });
    await arrival;
  },

  'bytes arrive in order, none lost, in a long burst': async (link) => {
    const parts = Array.from({ length: 500 }, (_, index) => pattern(1 + (index % 244), index));
    const whole = join(parts);
    const arrival = receive(link.transport, whole.length);
    await link.recorderSends(...parts);
    same(await arrival.then((bytes) => bytes.length), whole.length, 'size');
    same([...(await arrival)], [...whole], 'bytes');
  },

  'bytes before the first listener are kept': async (link) => {
    await link.recorderSends(pattern(30, 1));
    await link.recorderSends(pattern(30, 2));
    const bytes = await receive(link.transport, 60);
    same([...bytes], [...pattern(30, 1), ...pattern(30, 2)], 'bytes');
  },

  'a listener that was taken back hears nothing more': async (link) => {
    let heard = 0;
    const stop = link.transport.onBytes(() => {
      heard += 1;
    });
    stop();
    stop();
    const arrival = receive(link.transport, 5);
    await link.recorderSends(pattern(5, 1));
    await arrival;
    same(heard, 0, 'calls');
  },

  'a broken link is told once, to late listeners too, and refuses writes': async (link) => {
    let told = 0;
    link.transport.onClosed(() => {
      told += 1;
    });
    const end = closing(link.transport);
    await link.breakLink();
    same(await end, 'link_lost', 'reason');
    same(await closing(link.transport), 'link_lost', 'reason told later');
    same(
      await refusal(link.transport.write(pattern(4, 1), { withResponse: true })),
      'link_lost',
      '',
    );
    await link.transport.close();
    same(told, 1, 'times told');
  },

  'a write that meets the end of the link comes back, one way or the other': async (link) => {
    const writes = Array.from({ length: 20 }, (_, index) =>
      link.transport.write(pattern(20, index), { withResponse: index % 2 === 0 }).then(
        () => 'written',
        (error: unknown) => (error instanceof TransportError ? error.code : String(error)),
      ),
    );
    await link.breakLink();
    const outcomes = await within(Promise.all(writes), 'all writes coming back');
    const allowed = ['written', 'link_lost', 'write_failed'];
    same(
      outcomes.filter((outcome) => !allowed.includes(outcome)),
      [],
      'other outcomes',
    );
  },

  'closing is told, refuses writes and may be repeated': async (link) => {
    const end = closing(link.transport);
    await within(link.transport.close(), 'closing');
    same(await end, 'closed_by_us', 'reason');
    same(await refusal(link.transport.write(pattern(4, 1), { withResponse: true })), 'closed', '');
    await within(link.transport.close(), 'closing again');
  },
};

/** The contract, case by case. */
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
