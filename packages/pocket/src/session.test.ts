import { openEmulatedLink } from '@linnet/device/testing';
import { TransportError } from '@linnet/device/transport';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { PocketError } from './errors.ts';
import { openPocketSession } from './session.ts';
import { EmulatedPocket, emulatedMp3 } from './testing/emulated-pocket.ts';

const KEY = 'AbCdEfGh12345678';
const NOW = new Date(2026, 2, 28, 12, 30, 5).getTime();
/** The emulated recorder responds immediately, so silence means a lost response. */
const timing = { silence: 20, quietPeriod: 1 };
const open = (pocket: EmulatedPocket, key = KEY) =>
  openPocketSession(openEmulatedLink(pocket), key, NOW, timing);

it('opens a session, sets the clock, and reads the status', async () => {
  const pocket = new EmulatedPocket();
  const session = await open(pocket);
  expect(pocket.clock).toBe('20260328123005');
  expect(session.firmware).toBe('1.3.3');
  expect(session.status.get()).toEqual({
    battery: 58,
    space: { used: 60_846, total: 61_032 },
    isIdle: true,
  });
  pocket.battery = 57;
  pocket.state = 2;
  await session.refresh();
  expect(session.status.get()).toMatchObject({ battery: 57, isIdle: false });
});

it.each([
  ['refuse', 'key_refused'],
  ['ignore', 'silent'],
  ['hang_up', 'key_hang_up'],
] as const)('reports a wrong key (%s), and closes the link', async (onWrongKey, code) => {
  const pocket = new EmulatedPocket({ onWrongKey });
  await expect(open(pocket, 'wrong-key-123456')).rejects.toMatchObject({ code });
  expect(pocket.isConnected).toBe(false);
  expect(pocket.received).toEqual([]);
});

it('lists the recordings of all dates', async () => {
  const pocket = new EmulatedPocket();
  const session = await open(pocket);
  expect(await session.list()).toEqual({ files: [], isComplete: true });
  pocket.addRecording('20260328001919', emulatedMp3(100));
  pocket.addRecording('20260326014509', emulatedMp3(10));
  pocket.addRecording('20260328191640', emulatedMp3(50));
  expect(await session.list()).toEqual({
    files: [
      { date: '2026-03-26', time: '20260326014509', extent: 0 },
      { date: '2026-03-28', time: '20260328001919', extent: 3 },
      { date: '2026-03-28', time: '20260328191640', extent: 1 },
    ],
    isComplete: true,
  });
});

it('lists the other dates if one date cannot be listed', async () => {
  const pocket = new EmulatedPocket();
  const session = await open(pocket);
  pocket.addRecording('20260326014509', emulatedMp3(10));
  // The name isn't a time, so the entry can't be read.
  pocket.addRecording('20260327-broken', emulatedMp3(10));
  pocket.addRecording('20260328001919', emulatedMp3(100));
  expect(await session.list()).toEqual({
    files: [
      { date: '2026-03-26', time: '20260326014509', extent: 0 },
      { date: '2026-03-28', time: '20260328001919', extent: 3 },
    ],
    isComplete: false,
  });
});

it('reports a connection that is lost while the dates are listed', async () => {
  const pocket = new EmulatedPocket();
  const session = await open(pocket);
  pocket.addRecording('20260326014509', emulatedMp3(10));
  pocket.dropsResponse = () => {
    if (pocket.received.at(-1) === 'APP&LIST&2026-03-26') pocket.cut();
    return false;
  };
  await expect(session.list()).rejects.toBeInstanceOf(TransportError);
});

it('requests a list again if an entry is lost, and reports a list that stays incomplete', async () => {
  const pocket = new EmulatedPocket();
  const session = await open(pocket);
  pocket.addRecording('20260328001919', emulatedMp3(100));
  let count = 0;
  pocket.dropsResponse = () => count++ === 0;
  expect((await session.list()).files).toHaveLength(1);
  let number = 0;
  pocket.dropsResponse = () => number++ % 2 === 0;
  await expect(session.list()).rejects.toMatchObject({ code: 'list_incomplete' });
});

it('reads a file, and reports its progress', async () => {
  const pocket = new EmulatedPocket();
  const session = await open(pocket);
  const file = emulatedMp3(100).subarray(0, -106);
  pocket.addRecording('20260328001919', file);
  const [listed] = (await session.list()).files;
  if (!listed) return expect.unreachable();
  const progress: [number, number][] = [];
  const read = await session.read(listed, { onProgress: (...now) => progress.push(now) });
  expect(Buffer.from(read).equals(Buffer.from(file))).toBe(true);
  expect(progress[0]).toEqual([0, file.length]);
  expect(progress.at(-1)).toEqual([file.length, file.length]);
});

it('stops reading on abort, and closes the session', async () => {
  const stop = new AbortController();
  const pocket = new EmulatedPocket({ pace: async () => {} });
  const session = await open(pocket);
  pocket.addRecording('20260328001919', emulatedMp3(1000));
  const [listed] = (await session.list()).files;
  if (!listed) return expect.unreachable();
  const reading = session.read(listed, {
    signal: stop.signal,
    onProgress: (bytes) => bytes > 1000 && stop.abort(new Error('canceled')),
  });
  await expect(reading).rejects.toThrow('canceled');
  await session.close();
  expect(pocket.isConnected).toBe(false);
});

it('requests a file only after bytes of an earlier file have stopped arriving', async () => {
  const pocket = new EmulatedPocket();
  pocket.addRecording('20260328001919', emulatedMp3(20));
  const session = await open(pocket);
  const [listed] = (await session.list()).files;
  if (!listed) return expect.unreachable();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    pocket.sendAudio(emulatedMp3(1, 99));
    const reading = session.read(listed);
    await new Promise(setImmediate);
    expect(pocket.requested).toEqual([]);
    vi.advanceTimersByTime(timing.quietPeriod);
    await reading;
    expect(pocket.requested).toEqual(['20260328001919']);
  } finally {
    vi.useRealTimers();
  }
});

it('does not mix a file with late bytes of a previous file', async () => {
  const pocket = new EmulatedPocket();
  const session = await open(pocket);
  const file = emulatedMp3(20);
  pocket.addRecording('20260328001919', file);
  const [listed] = (await session.list()).files;
  if (!listed) return expect.unreachable();
  pocket.sendAudio(emulatedMp3(1, 99));
  const reading = session.read(listed);
  pocket.sendAudio(emulatedMp3(1, 99));
  expect(Buffer.from(await reading).equals(Buffer.from(file))).toBe(true);
});

it('rejects a file of the announced size with a gap between frames', async () => {
  const pocket = new EmulatedPocket();
  const session = await open(pocket);
  pocket.addRecording('20260328001919', new Uint8Array(5000));
  const [listed] = (await session.list()).files;
  if (!listed) return expect.unreachable();
  await expect(session.read(listed)).rejects.toMatchObject({ code: 'file_damaged' });
});

it('rejects a file that exceeds the available memory', async () => {
  const pocket = new EmulatedPocket();
  const session = await open(pocket);
  const file = emulatedMp3(20);
  pocket.addRecording('20260328001919', file);
  const [listed] = (await session.list()).files;
  if (!listed) return expect.unreachable();
  const limited = new Proxy(Uint8Array, {
    construct(target, args, newTarget) {
      if (args[0] === file.length) throw new RangeError('Array buffer allocation failed');
      return Reflect.construct(target, args, newTarget);
    },
  });
  vi.stubGlobal('Uint8Array', limited);
  try {
    await expect(session.read(listed)).rejects.toMatchObject({ code: 'file_too_large' });
  } finally {
    vi.unstubAllGlobals();
  }
});

it('ignores unknown and unexpected responses', async () => {
  const pocket = new EmulatedPocket();
  const session = await open(pocket);
  const file = emulatedMp3(20);
  pocket.addRecording('20260328001919', file);
  let count = 0;
  pocket.beforeAudio = () =>
    pocket.respond(['MCU&BAT&1', 'MCU&NEWS&2', '\0', 'MCU&U&7'][count++ % 4] ?? '');
  const [listed] = (await session.list()).files;
  if (!listed) return expect.unreachable();
  expect(Buffer.from(await session.read(listed)).equals(Buffer.from(file))).toBe(true);
});

it('returns only existing recordings despite losses, and all of them eventually', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 2, max: 120 }), { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 99 })),
      fc.constantFrom(20, 144, 182, 244),
      async (lengths, chances, notificationBytes) => {
        const pocket = new EmulatedPocket({ notificationBytes });
        const files = new Map(
          lengths.map((frames, index) => [`2026032${index}001919`, emulatedMp3(frames, index)]),
        );
        for (const [stamp, file] of files) pocket.addRecording(stamp, file);
        let faults = 12;
        /** Returns true at random until there have been enough faults. */
        const fails = (percent: number) => {
          const isFault = faults > 0 && (chances.next().value ?? 0) < percent;
          if (isFault) faults -= 1;
          return isFault;
        };
        pocket.dropsNotification = () => fails(4);
        pocket.dropsResponse = () => fails(2);
        pocket.beforeAudio = () => fails(2) && (fails(50) ? pocket.reboot() : pocket.cut());
        const read = new Set<string>();
        for (let attempt = 0; attempt < 60 && read.size < files.size; attempt += 1) {
          try {
            const session = await openPocketSession(openEmulatedLink(pocket), KEY, NOW, {
              silence: 3,
              quietPeriod: 0,
            });
            for (const listed of (await session.list()).files) {
              if (read.has(listed.time)) continue;
              const bytes = await session.read(listed).catch((error: unknown) => {
                if (error instanceof PocketError) return null;
                throw error;
              });
              if (!bytes) continue;
              const file = files.get(listed.time) ?? new Uint8Array();
              expect(Buffer.from(bytes).equals(Buffer.from(file))).toBe(true);
              read.add(listed.time);
            }
            await session.close();
          } catch (error) {
            expect(error).toMatchObject({ code: expect.any(String) });
            pocket.cut();
          }
        }
        expect(read.size).toBe(files.size);
      },
    ),
    { numRuns: 40 },
  );
});
