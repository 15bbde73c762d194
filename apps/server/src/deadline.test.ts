import { expect, it } from 'vitest';
import { cancelAfter } from './deadline.ts';

it('cancels work at its timeout', async () => {
  const cancelled = Promise.withResolvers<string>();
  const runForever = (signal: AbortSignal) =>
    new Promise<never>(() => {
      signal.addEventListener('abort', () => cancelled.resolve('cancelled'), { once: true });
    });
  await expect(cancelAfter(10, runForever)).rejects.toThrow('no result within 10 ms');
  expect(await cancelled.promise).toBe('cancelled');
});

it('returns the result of work that finishes in time', async () => {
  expect(await cancelAfter(10_000, async () => 'done')).toBe('done');
});
