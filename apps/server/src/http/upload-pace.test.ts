import { describe, expect, it } from 'vitest';
import { createUploadPace } from './upload-pace.ts';

const piece = new Uint8Array(64 * 1024);

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n += 1) yield piece;
}

/** A pace whose clock moves by what is slept. */
function start() {
  let now = 0;
  let slept = 0;
  const pace = createUploadPace({
    now: () => now,
    async sleep(ms) {
      now += ms;
      slept += ms;
    },
  });
  return {
    /** Takes an upload in. @returns seconds that it waited */
    async take(subject: string, megabytes: number) {
      const before = slept;
      let bytes = 0;
      for await (const { length } of pace.slow(subject, pieces(megabytes * 16))) bytes += length;
      expect(bytes).toBe(megabytes * 1024 ** 2);
      return (slept - before) / 1000;
    },
    pass(seconds: number) {
      now += seconds * 1000;
    },
  };
}

describe('uploads of one account', () => {
  it('come at full speed at first, then at eight megabytes a second', async () => {
    const { take } = start();
    expect(await take('a', 8)).toBe(0);
    expect(await take('a', 16)).toBeCloseTo(2, 1);
    expect(await take('a', 8)).toBeCloseTo(1, 1);
  });

  it('do not hold back those of another, and may be fast again after a rest', async () => {
    const { take, pass } = start();
    await take('a', 24);
    expect(await take('b', 8)).toBe(0);
    pass(10);
    expect(await take('a', 8)).toBe(0);
  });

  it('pass a failure of the body on', async () => {
    const pace = createUploadPace();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield piece;
      throw new Error('the line dropped');
    }
    const read = async () => {
      for await (const _ of pace.slow('a', broken()));
    };
    await expect(read()).rejects.toThrow('the line dropped');
  });
});
