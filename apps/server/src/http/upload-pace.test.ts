import { describe, expect, it } from 'vitest';
import { createUploadPace } from './upload-pace.ts';

const piece = new Uint8Array(64 * 1024);

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n += 1) yield piece;
}

/** Creates an upload pace whose clock advances by the time slept. */
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
    /**
     * Receives an upload.
     * @returns seconds waited
     */
    async take(subject: string, megabytes: number) {
      const before = slept;
      let bytes = 0;
      for await (const { length } of pace.throttle(subject, pieces(megabytes * 16)))
        bytes += length;
      expect(bytes).toBe(megabytes * 1024 ** 2);
      return (slept - before) / 1000;
    },
    advanceClock(seconds: number) {
      now += seconds * 1000;
    },
  };
}

describe('upload pace', () => {
  it('allows full speed at first, then eight megabytes per second', async () => {
    const { take } = start();
    expect(await take('a', 32)).toBe(0);
    expect(await take('a', 16)).toBeCloseTo(2, 1);
    expect(await take('a', 8)).toBeCloseTo(1, 1);
  });

  it('limits accounts separately and allows full speed again after a pause', async () => {
    const { take, advanceClock } = start();
    await take('a', 48);
    expect(await take('b', 32)).toBe(0);
    advanceClock(10);
    expect(await take('a', 32)).toBe(0);
  });

  it('propagates errors of the body', async () => {
    const pace = createUploadPace();
    async function* failingBody(): AsyncGenerator<Uint8Array> {
      yield piece;
      throw new Error('the line dropped');
    }
    const read = async () => {
      for await (const _ of pace.throttle('a', failingBody()));
    };
    await expect(read()).rejects.toThrow('the line dropped');
  });
});
