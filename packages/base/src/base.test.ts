import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  Coalesced,
  Emitter,
  fnvOf,
  fromHex,
  lazy,
  Mutex,
  merged,
  toHex,
  withUtcOffset,
  writable,
} from './index.ts';

describe('fnvOf', () => {
  // Test vectors of draft-eastlake-fnv.
  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('returns the 32-bit FNV-1a hash of “%s”', (text, expected) => {
    expect(fnvOf(text)).toBe(expected);
  });
});

describe('Mutex', () => {
  it('runs tasks one at a time and in order, even after failures', async () => {
    const jobs = fc.array(fc.record({ fails: fc.boolean() }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), jobs, async (scheduler, all) => {
        const mutex = new Mutex();
        const events: string[] = [];
        const outcomes = all.map(({ fails }, n) =>
          mutex.run(async () => {
            events.push(`begin ${n}`);
            await scheduler.schedule(Promise.resolve());
            events.push(`end ${n}`);
            if (fails) throw new Error(`${n}`);
            return n;
          }),
        );
        const settled = Promise.allSettled(outcomes);
        await scheduler.waitFor(settled);
        expect(events).toEqual(all.flatMap((_, n) => [`begin ${n}`, `end ${n}`]));
        expect((await settled).map(({ status }) => status)).toEqual(
          all.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
        );
      }),
    );
  });
});

describe('lazy', () => {
  it('loads once for all callers, and again only after a failure', async () => {
    const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline'));
    load.mockResolvedValue('loaded');
    const get = lazy(load);
    expect(load).not.toHaveBeenCalled();
    const outcomes = await Promise.allSettled([get(), get()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(load).toHaveBeenCalledTimes(1);
    expect(await Promise.all([get(), get()])).toEqual(['loaded', 'loaded']);
    expect(await get()).toBe('loaded');
    expect(load).toHaveBeenCalledTimes(2);
  });
});

describe('Coalesced', () => {
  it('never overlaps runs and processes every change', async () => {
    const steps = fc.array(fc.boolean(), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), steps, async (scheduler, changes) => {
        let value = 0;
        let seen = -1;
        let running = 0;
        const work = new Coalesced(async () => {
          running += 1;
          expect(running).toBe(1);
          const read = value;
          await scheduler.schedule(Promise.resolve());
          seen = read;
          running -= 1;
        });
        const runs = [work.run()];
        for (const waits of changes) {
          value += 1;
          runs.push(work.run());
          if (waits && scheduler.count() > 0) await scheduler.waitOne();
        }
        await scheduler.waitFor(Promise.all(runs));
        expect(seen).toBe(value);
      }),
    );
  });

  it('reruns once for many calls during a run', async () => {
    const gate = Promise.withResolvers<void>();
    const work = vi.fn(() => gate.promise);
    const coalesced = new Coalesced(work);
    const first = coalesced.run();
    await Promise.all([coalesced.run(), coalesced.run()]);
    expect(work).toHaveBeenCalledTimes(1);
    gate.resolve();
    await first;
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('reruns invalidated work only if it is running', async () => {
    let runs = 0;
    const coalesced = new Coalesced(async () => {
      runs += 1;
      if (runs === 1) coalesced.invalidate();
    });
    coalesced.invalidate();
    expect(runs).toBe(0);
    await coalesced.run();
    expect(runs).toBe(2);
  });

  it('runs again after a failure', async () => {
    const work = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('once'));
    const coalesced = new Coalesced(work.mockResolvedValue());
    await expect(coalesced.run()).rejects.toThrow('once');
    await coalesced.run();
    expect(work).toHaveBeenCalledTimes(2);
  });
});

describe('Emitter', () => {
  it('skips listeners that subscribe or unsubscribe during an emit', () => {
    const emitter = new Emitter<[number]>();
    const lateListener = vi.fn();
    const removed = vi.fn();
    const first = vi.fn(() => {
      unsubscribe();
      emitter.subscribe(lateListener);
    });
    emitter.subscribe(first);
    const unsubscribe = emitter.subscribe(removed);
    emitter.emit(7);
    expect(first).toHaveBeenCalledExactlyOnceWith(7);
    expect(removed).not.toHaveBeenCalled();
    expect(lateListener).not.toHaveBeenCalled();
    expect(emitter.size).toBe(2);
    emitter.clear();
    emitter.emit(8);
    expect(first).toHaveBeenCalledTimes(1);
  });

  it('can be merged with other sources into one subscription', () => {
    const emitter = new Emitter();
    const store = writable(0);
    const listener = vi.fn();
    const unsubscribe = merged(emitter, store)(listener);
    emitter.emit();
    store.set(1);
    expect(listener).toHaveBeenCalledTimes(2);
    unsubscribe();
    emitter.emit();
    store.set(2);
    expect(listener).toHaveBeenCalledTimes(2);
  });
});

it('writable notifies listeners only of changes', () => {
  const store = writable(Number.NaN);
  const listener = vi.fn(() => store.get());
  store.subscribe(listener);
  store.set(Number.NaN);
  expect(listener).not.toHaveBeenCalled();
  store.set(1);
  expect(listener).toHaveReturnedWith(1);
});

it.each([
  ['Pacific/Honolulu', '2026-07-01T00:30:00.000-10:00'],
  ['America/St_Johns', '2026-07-01T08:00:00.000-02:30'],
  ['UTC', '2026-07-01T10:30:00.000+00:00'],
  ['Europe/Berlin', '2026-07-01T12:30:00.000+02:00'],
  ['Asia/Kathmandu', '2026-07-01T16:15:00.000+05:45'],
  ['Pacific/Kiritimati', '2026-07-02T00:30:00.000+14:00'],
])('withUtcOffset formats times in the zone %s', (zone, summer) => {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    expect(withUtcOffset(new Date('2026-07-01T10:30:00Z'))).toBe(summer);
    const dates = fc.date({
      min: new Date('1990-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        expect(new Date(withUtcOffset(date))).toEqual(date);
      }),
    );
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

it('toHex and fromHex round-trip', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
      expect([...fromHex(toHex(bytes).toUpperCase())]).toEqual([...bytes]);
    }),
  );
});
