import { expect, it } from 'vitest';
import { createLiveAudioMeter, createLiveLevels } from './live-audio.ts';

const rethrow = (error: unknown) => {
  throw error;
};

/** Returns a chunk of ten packets, each filled with its loudness. */
const chunk = (level: number) => new Uint8Array(1600).fill(level);
const measure = async (_id: string, bytes: Uint8Array) =>
  new Uint8Array(bytes.length / 160).fill(bytes[0] ?? 0);

it('returns the levels of the current recording in order', async () => {
  const { audioLevels, add, reset } = createLiveAudioMeter(measure, rethrow);
  for (const [index, level] of [51, 102, 255].entries()) {
    add('a', chunk(level));
    await expect.poll(() => audioLevels.get().levelCount).toBe(2 * (index + 1));
  }
  expect(audioLevels.get()).toEqual({
    recordId: 'a',
    levelCount: 6,
    levels: [0.2, 0.2, 0.4, 0.4, 1, 1],
  });
  add('b', chunk(0));
  await expect
    .poll(() => audioLevels.get())
    .toEqual({ recordId: 'b', levelCount: 2, levels: [0, 0] });
  reset();
  expect(audioLevels.get()).toEqual({ recordId: null, levelCount: 0, levels: [] });
});

it('skips chunks while ten chunks are being measured', async () => {
  let measurements = 0;
  const gate = Promise.withResolvers<void>();
  const { audioLevels, add } = createLiveAudioMeter(async (id, bytes) => {
    measurements += 1;
    await gate.promise;
    return measure(id, bytes);
  }, rethrow);
  for (let index = 0; index < 100; index += 1) add('a', chunk(255));
  expect(measurements).toBe(10);
  gate.resolve();
  await expect.poll(() => audioLevels.get().levelCount).toBe(20);
  add('a', chunk(255));
  await expect.poll(() => audioLevels.get().levelCount).toBe(22);
});

it('reports a failed measurement and continues with the next chunk', async () => {
  const errors: unknown[] = [];
  let isFailing = true;
  const { audioLevels, add } = createLiveAudioMeter(
    async (id, bytes) => {
      if (isFailing) throw new Error('no packet');
      return measure(id, bytes);
    },
    (error) => errors.push(error),
  );
  add('a', chunk(255));
  await expect.poll(() => errors).toHaveLength(1);
  isFailing = false;
  add('a', chunk(255));
  await expect.poll(() => audioLevels.get().levelCount).toBe(2);
});

it('combines packets that arrive in chunks of any size', () => {
  const { audioLevels, add } = createLiveLevels();
  for (const size of [3, 1, 4, 7]) add('a', new Uint8Array(size).fill(51 * Math.min(size, 5)));
  expect(audioLevels.get()).toEqual({ recordId: 'a', levelCount: 3, levels: [0.8, 1, 1] });
});
