/**
 * Tests that a link to a recorder from another manufacturer fulfills its contract. The cases don't depend on a test
 * framework, so they can also run in a browser page. Callers register them as tests.
 */
import type { GattCharacteristic, GattLink, GattProfile } from '../gatt.ts';
import { type CloseReason, TransportError } from '../transport.ts';
import type { EmulatedGatt, EmulatedListener, EmulatedService } from './emulated-gatt.ts';

const shortUuid = (number: string) => `0000${number}-0000-1000-8000-00805f9b34fb`;
const ownUuid = (number: string) => `5c0d${number}-6f2a-4c1e-9d55-3b7a1e0c8f42`;

/** A service whose UUID is derived from a 16-bit number, which phones may report in its short form. */
const shortService = shortUuid('fd77');
const ownService = ownUuid('0001');
const absentService = ownUuid('0002');
const at = {
  value: { service: shortService, characteristic: ownUuid('0011') },
  command: { service: ownService, characteristic: ownUuid('0012') },
  answers: { service: ownService, characteristic: ownUuid('0013') },
  data: { service: ownService, characteristic: ownUuid('0014') },
  absent: { service: ownService, characteristic: ownUuid('0015') },
  nowhere: { service: absentService, characteristic: ownUuid('0012') },
} as const satisfies Record<string, GattCharacteristic>;

/** The services of the recorder that the cases need. It lacks the last one. */
export const gattContractProfile: GattProfile = {
  service: shortService,
  optionalServices: [ownService, absentService],
};

/** The characteristics of the recorder that send notifications. */
export type GattContractSource = 'answers' | 'data';

/** The recorder that the cases need. It returns the last value that was written to it. */
export class GattContractRecorder implements EmulatedGatt {
  readonly name = 'Contract';
  readonly mac = '02:00:00:00:00:79';
  readonly advertised = [shortService];
  readonly services: readonly EmulatedService[] = [
    {
      uuid: shortService,
      characteristics: [{ uuid: at.value.characteristic, flags: ['read'] }],
    },
    {
      uuid: ownService,
      characteristics: [
        { uuid: at.command.characteristic, flags: ['write'] },
        { uuid: at.answers.characteristic, flags: ['notify'] },
        { uuid: at.data.characteristic, flags: ['notify'] },
      ],
    },
  ];
  /** The writes since the last connection. */
  received: Uint8Array[] = [];
  #phone: EmulatedListener | null = null;
  readonly #subscribed = new Set<string>();

  get isConnected(): boolean {
    return this.#phone !== null;
  }

  connect(phone: EmulatedListener): void {
    if (this.#phone) throw new Error('the recorder is connected to another phone');
    this.#phone = phone;
    this.received = [];
  }

  cut(): void {
    const phone = this.#phone;
    this.#phone = null;
    this.#subscribed.clear();
    phone?.closed();
  }

  read(): Uint8Array {
    return this.received.at(-1) ?? Uint8Array.of(0);
  }

  write(_characteristic: string, value: Uint8Array): void {
    this.received.push(value.slice());
  }

  setNotifying(characteristic: string, isOn: boolean): void {
    if (isOn) this.#subscribed.add(characteristic);
    else this.#subscribed.delete(characteristic);
  }

  /** Sends notifications to a phone that has subscribed to them. */
  notify(source: GattContractSource, ...values: readonly Uint8Array[]): void {
    const { characteristic } = at[source];
    if (!this.#subscribed.has(characteristic)) return;
    for (const value of values) this.#phone?.notification(characteristic, value);
  }
}

/** An open link, with control over the recorder at its other end. */
export type GattContractLink = {
  readonly link: GattLink;
  /** Returns the writes that the recorder has received on this link. */
  received(): Promise<readonly Uint8Array[]>;
  notify(source: GattContractSource, ...values: readonly Uint8Array[]): Promise<void>;
  /** Breaks the link, as if the recorder were out of range. */
  breakLink(): Promise<void>;
};

export type GattContractCase = {
  readonly name: string;
  /**
   * Runs the case. Rejects if the link violates the contract.
   * @param open opens a new link for each case
   */
  run(open: () => Promise<GattContractLink>): Promise<void>;
};

function assertSame(actual: unknown, expected: unknown, description: string): void {
  const [actualJson, expectedJson] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (actualJson === expectedJson) return;
  throw new Error(`${description}: ${actualJson} instead of ${expectedJson}`);
}

const createPattern = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 7) & 0xff);
const toLists = (values: readonly Uint8Array[]) => values.map((bytes) => [...bytes]);

async function catchOutcome(action: Promise<unknown>): Promise<string> {
  try {
    await action;
    return 'done';
  } catch (error) {
    if (error instanceof TransportError) return error.code;
    throw error;
  }
}

/** Subscribes. Returns the values that have arrived, and a function that waits until there are `count` values. */
async function subscribe(link: GattLink, source: GattContractSource) {
  const values: Uint8Array[] = [];
  let onValue = () => {};
  const unsubscribe = await link.subscribe(at[source], (bytes) => {
    values.push(bytes);
    onValue();
  });
  const waitForCount = (count: number) =>
    new Promise<void>((resolve) => {
      onValue = () => {
        if (values.length >= count) resolve();
      };
      onValue();
    });
  return { values, until: waitForCount, unsubscribe };
}

const waitForClose = (link: GattLink) =>
  new Promise<CloseReason>((resolve) => link.onClosed(resolve));

const cases: Record<string, (open: GattContractLink) => Promise<void>> = {
  "finds the recorder's services, including one with a short UUID": async ({ link }) => {
    assertSame(await link.has(shortService), true, 'the service with a short UUID');
    assertSame(await link.has(ownService), true, 'the other service');
    assertSame(await link.has(absentService), false, 'the absent service');
  },

  'delivers writes of every size unchanged, and reads values': async ({ link, received }) => {
    const values = [1, 20, 21, 180].map(createPattern);
    for (const value of values) await link.write(at.command, value);
    assertSame(toLists(await received()), toLists(values), 'writes');
    const [read] = toLists([await link.read(at.value)]);
    assertSame(read, [...(values.at(-1) ?? [])], 'the value');
  },

  'runs concurrent operations one after another': async ({ link, received }) => {
    const values = Array.from({ length: 20 }, (_, index) => createPattern(8, index));
    const buffer = createPattern(8, 99);
    const writes = values.map((value) => link.write(at.command, value));
    const last = link.write(at.command, buffer);
    // The buffer may be used again as soon as the operation has begun.
    buffer.fill(0);
    await Promise.all([...writes, link.read(at.value), last]);
    const expected = toLists([...values, createPattern(8, 99)]);
    assertSame(toLists(await received()), expected, 'writes');
  },

  "passes each characteristic's notifications to its listener, in order": async (open) => {
    const { link, notify } = open;
    const answers = await subscribe(link, 'answers');
    const data = await subscribe(link, 'data');
    const sentPackets = Array.from({ length: 200 }, (_, index) => createPattern(1 + index, index));
    await notify('data', ...sentPackets);
    await notify('answers', createPattern(3, 1));
    await Promise.all([data.until(sentPackets.length), answers.until(1)]);
    assertSame(toLists(data.values), toLists(sentPackets), 'data');
    assertSame(toLists(answers.values), toLists([createPattern(3, 1)]), 'answers');
  },

  "stops one characteristic's notifications, but not those of others": async ({ link, notify }) => {
    const answers = await subscribe(link, 'answers');
    const data = await subscribe(link, 'data');
    await answers.unsubscribe();
    await notify('answers', createPattern(3, 1));
    await notify('data', createPattern(4, 1));
    await data.until(1);
    assertSame(answers.values.length, 0, 'notifications after the end');
    const again = await subscribe(link, 'answers');
    await notify('answers', createPattern(3, 2));
    await again.until(1);
  },

  'rejects a missing characteristic or service, and remains usable': async ({ link, received }) => {
    await link.write(at.command, createPattern(2, 1));
    for (const missing of [at.absent, at.nowhere]) {
      const write = link.write(missing, createPattern(1, 1));
      assertSame(await catchOutcome(write), 'not_a_recorder', 'writing');
      assertSame(await catchOutcome(link.read(missing)), 'not_a_recorder', 'reading');
      const subscription = link.subscribe(missing, () => {});
      assertSame(await catchOutcome(subscription), 'not_a_recorder', 'subscribing');
    }
    await link.write(at.command, createPattern(2, 1));
    assertSame((await received()).length, 2, 'writes');
  },

  'reports a lost link once, even to late listeners, and rejects operations': async (open) => {
    const { link, breakLink } = open;
    let calls = 0;
    link.onClosed(() => {
      calls += 1;
    });
    const { unsubscribe } = await subscribe(link, 'answers');
    const reason = waitForClose(link);
    await breakLink();
    assertSame(await reason, 'link_lost', 'reason');
    assertSame(await waitForClose(link), 'link_lost', 'reason for a late listener');
    assertSame(await catchOutcome(link.read(at.value)), 'link_lost', 'reading');
    await unsubscribe();
    await link.close();
    assertSame(calls, 1, 'calls');
  },

  'settles operations that are pending when the link breaks': async ({ link, breakLink }) => {
    const writes = Array.from({ length: 20 }, (_, index) =>
      catchOutcome(link.write(at.command, createPattern(20, index))),
    );
    await breakLink();
    const allowed = ['done', 'link_lost', 'write_failed'];
    const others = (await Promise.all(writes)).filter((outcome) => !allowed.includes(outcome));
    assertSame(others, [], 'other outcomes');
  },

  'reports that it was closed, rejects later operations, and can be closed again': async (open) => {
    const { link } = open;
    const reason = waitForClose(link);
    await link.close();
    assertSame(await reason, 'closed_by_us', 'reason');
    const write = link.write(at.command, createPattern(4, 1));
    assertSame(await catchOutcome(write), 'closed', 'writing');
    await link.close();
  },
};

/** The cases of the contract. */
export const gattContract: readonly GattContractCase[] = Object.entries(cases).map(
  ([name, check]) => ({
    name,
    async run(open) {
      const opened = await open();
      try {
        await check(opened);
      } finally {
        await opened.link.close();
      }
    },
  }),
);
