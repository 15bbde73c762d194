import { expect, test } from 'vitest';
import { PacedClock } from '../paced-clock.ts';
import { SteppedClock } from '../testing/stepped-clock.ts';
import { until } from '../testing/wait.ts';
import { CONNECTION_INTERVAL_MS, maxBytesPerSecond, PAYLOADS, type Payload } from './model.ts';
import { noAirFaults, Radio } from './radio.ts';

function bench(payload: Payload, clock: PacedClock = new PacedClock(10)) {
  const faults = noAirFaults();
  const carried: { at: number; bytes: Uint8Array }[] = [];
  const state = { dropped: false, backlog: 0 };
  const port = {
    notify: (bytes: Uint8Array) => carried.push({ at: clock.elapsed(), bytes }),
    backlog: () => state.backlog,
    drop: () => {
      state.dropped = true;
    },
  };
  const radio = new Radio(port, payload, clock, faults);
  const size = () => carried.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return { clock, faults, carried, radio, state, size };
}

test('the model has the documented capacity', () => {
  expect(PAYLOADS.map(maxBytesPerSecond)).toEqual([
    (4 * 20 * 1000) / 30,
    (4 * 182 * 1000) / 30,
    (4 * 244 * 1000) / 30,
    (4 * 495 * 1000) / 30,
  ]);
});

test.each(PAYLOADS)('payload %d uses full notifications and the expected time', async (payload) => {
  const { radio, carried, size, clock } = bench(payload);
  const total = payload * 4 * 40 + 7;
  const before = clock.elapsed();
  radio.send(new Uint8Array(total));
  await until(() => size() === total, 'all bytes are received');
  expect(carried.slice(0, -1).every(({ bytes }) => bytes.length === payload)).toBe(true);
  const elapsedMs = (carried.at(-1)?.at ?? 0) - before;
  // Forty full events, and a last one with the remainder.
  expect(elapsedMs).toBeGreaterThanOrEqual(40 * CONNECTION_INTERVAL_MS);
  expect((total * 1000) / elapsedMs).toBeLessThanOrEqual(maxBytesPerSecond(payload) * 1.03);
});

test('an idle radio accumulates no capacity', async () => {
  const { radio, carried, size, clock } = bench(244);
  await until(() => clock.elapsed() > 1000, 'a second of silence has passed');
  const sent = clock.elapsed();
  radio.send(new Uint8Array(244 * 12));
  await until(() => size() === 244 * 12, 'all bytes are received');
  // Three events carry the frames. The first event may be due immediately.
  expect((carried.at(-1)?.at ?? 0) - sent).toBeGreaterThanOrEqual(2 * CONNECTION_INTERVAL_MS);
});

test('responses are sent before further stream frames', () => {
  const clock = new SteppedClock();
  const { radio, carried, size } = bench(20, clock);
  let remaining = 10;
  radio.source = () => {
    remaining -= 1;
    return remaining >= 0 ? new Uint8Array(40).fill(1) : undefined;
  };
  radio.wake();
  clock.advanceTo(2 * CONNECTION_INTERVAL_MS);
  expect(size()).toBe(160);
  radio.send(new Uint8Array(20).fill(2));
  clock.advanceTo(1000);
  expect(size()).toBe(420);
  const all = carried.flatMap(({ bytes }) => [...bytes]);
  expect(all.indexOf(2)).toBeLessThan(300);
  expect(all.filter((byte) => byte === 2)).toHaveLength(20);
});

test('writes are handled at the next connection event, in order', async () => {
  const { radio } = bench(244);
  const received: number[] = [];
  radio.onWrite = (bytes) => received.push(...bytes);
  radio.receive(Uint8Array.of(1));
  radio.receive(Uint8Array.of(2));
  expect(received).toEqual([]);
  await until(() => received.length === 2, 'both writes are received');
  expect(received).toEqual([1, 2]);
});

test.each([0, 1, 100, 244, 500])(
  'a drop after %d bytes delivers exactly that many bytes',
  async (count) => {
    const { radio, faults, state, size } = bench(244);
    faults.dropAfterBytes = count;
    radio.send(new Uint8Array(1000));
    await until(() => state.dropped, 'the link is dropped');
    expect(size()).toBe(count);
    expect(faults.dropAfterBytes).toBeUndefined();
  },
);

test('a corruption flips one bit at its offset, once', async () => {
  const { radio, faults, carried, size } = bench(20);
  faults.corruptAfterBytes = 45;
  radio.send(new Uint8Array(100));
  await until(() => size() === 100, 'all bytes are received');
  const all = carried.flatMap(({ bytes }) => [...bytes]);
  expect(all.map((byte, index) => (byte === 0 ? -1 : index)).filter((index) => index >= 0)).toEqual(
    [45],
  );
});

test('a duplication repeats one packet, once', async () => {
  const { radio, faults, carried, size } = bench(20);
  faults.duplicateAfterBytes = 45;
  radio.send(Uint8Array.from({ length: 100 }, (_, index) => index));
  await until(() => size() === 120, 'all bytes are received');
  const all = carried.flatMap(({ bytes }) => [...bytes]);
  const once = Array.from({ length: 100 }, (_, index) => index);
  expect(all).toEqual([...once.slice(0, 60), ...once.slice(40)]);
});

test('a delay preserves order, and a drop follows the delayed packets', async () => {
  const { radio, faults, carried, clock, state, size } = bench(244);
  faults.delayMs = 700;
  faults.dropAfterBytes = 1000;
  const before = clock.elapsed();
  radio.send(Uint8Array.from({ length: 2000 }, (_, index) => index));
  await until(() => state.dropped, 'the link is dropped');
  expect(carried[0]?.at).toBeGreaterThanOrEqual(before + 700);
  expect(size()).toBe(1000);
  const all = carried.flatMap(({ bytes }) => [...bytes]);
  expect(all).toEqual(Array.from({ length: 1000 }, (_, index) => index & 0xff));
});

test('a phone that does not read stalls the radio without loss', async () => {
  const { radio, state, size, clock } = bench(244);
  state.backlog = 2 ** 30;
  radio.send(new Uint8Array(5000));
  await until(() => clock.elapsed() > 500, 'half a second has passed');
  expect(size()).toBe(0);
  state.backlog = 0;
  await until(() => size() === 5000, 'all bytes are received');
});
