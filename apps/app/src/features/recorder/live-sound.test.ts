import { expect, it } from 'vitest';
import { createLiveSound } from './live-sound.ts';

const fail = (error: unknown) => {
  throw error;
};

/** Ten packets, as loud as their first byte says. */
const chunk = (level: number) => new Uint8Array(1600).fill(level);
const measure = async (_id: string, bytes: Uint8Array) =>
  new Uint8Array(bytes.length / 160).fill(bytes[0] ?? 0);

it('provides the latest levels of one recording, in order', async () => {
  const { sound, add, reset } = createLiveSound(measure, fail);
  for (const [index, level] of [51, 102, 255].entries()) {
    add('a', chunk(level));
    await expect.poll(() => sound.get().levelCount).toBe(2 * (index + 1));
  }
  expect(sound.get()).toEqual({ recordId: 'a', levelCount: 6, levels: [0.2, 0.2, 0.4, 0.4, 1, 1] });
  add('b', chunk(0));
  await expect.poll(() => sound.get()).toEqual({ recordId: 'b', levelCount: 2, levels: [0, 0] });
  reset();
  expect(sound.get()).toEqual({ recordId: null, levelCount: 0, levels: [] });
});

it('drops chunks that cannot be measured in time', async () => {
  let measurements = 0;
  const gate = Promise.withResolvers<void>();
  const { sound, add } = createLiveSound(async (id, bytes) => {
    measurements += 1;
    await gate.promise;
    return measure(id, bytes);
  }, fail);
  for (let index = 0; index < 100; index += 1) add('a', chunk(255));
  expect(measurements).toBe(10);
  gate.resolve();
  await expect.poll(() => sound.get().levelCount).toBe(20);
  add('a', chunk(255));
  await expect.poll(() => sound.get().levelCount).toBe(22);
});

it('reports packets that cannot be measured, and continues', async () => {
  const errors: unknown[] = [];
  let broken = true;
  const { sound, add } = createLiveSound(
    async (id, bytes) => {
      if (broken) throw new Error('no packet');
      return measure(id, bytes);
    },
    (error) => errors.push(error),
  );
  add('a', chunk(255));
  await expect.poll(() => errors).toHaveLength(1);
  broken = false;
  add('a', chunk(255));
  await expect.poll(() => sound.get().levelCount).toBe(2);
});
