import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTurns } from './turns.ts';

/** Work that the test completes. */
function piece(name: string, log: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = () => {
    log.push(`${name} begins`);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
}
const never = new AbortController().signal;

describe('concurrency limit', () => {
  it('runs work up to the limit, and the rest in order, despite failures', async () => {
    const log: string[] = [];
    const take = createTurns(2);
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => piece(name, log)) as [
      ReturnType<typeof piece>,
      ReturnType<typeof piece>,
      ReturnType<typeof piece>,
      ReturnType<typeof piece>,
    ];
    const all = Promise.allSettled([a, b, c, d].map(({ work }) => take(never, work)));
    await turn();
    expect(log).toEqual(['a begins', 'b begins']);
    b.fail();
    await turn();
    expect(log).toEqual(['a begins', 'b begins', 'c begins']);
    for (const { end } of [c, a, d]) end();
    const ends = (await all).map(({ status }) => status);
    expect(ends).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const alone = piece('e', log);
    alone.end();
    expect(await take(never, alone.work)).toBe('e');
  });

  it('skips aborted work in the queue', async () => {
    const log: string[] = [];
    const take = createTurns(1);
    const [first, second, third] = [piece('1', log), piece('2', log), piece('3', log)];
    const left = new AbortController();
    const running = take(never, first.work);
    const waiting = take(left.signal, second.work);
    const last = take(never, third.work);
    left.abort();
    await expect(waiting).rejects.toBe(left.signal.reason);
    first.end();
    third.end();
    expect(await Promise.all([running, last])).toEqual(['1', '3']);
    expect(log).toEqual(['1 begins', '3 begins']);
  });
});
