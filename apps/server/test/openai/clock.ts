import type { Clock } from '../../src/providers/openai/service.ts';

/** A clock that advances only by waits, which return immediately. */
export function startClock(): Clock & { readonly waits: readonly number[] } {
  let time = Date.parse('2026-03-02T09:00:00Z');
  const waits: number[] = [];
  return {
    waits,
    now: () => time,
    async wait(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      time += ms;
    },
  };
}
