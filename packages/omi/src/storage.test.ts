import { openEmulatedLink } from '@linnet/device/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OmiError } from './errors.ts';
import { openOmiSession } from './session.ts';
import type { OmiStorage, StoredBlock } from './storage.ts';
import { type EmulatedModel, EmulatedOmi } from './testing/emulated-omi.ts';

const NOW = Date.UTC(2026, 2, 2, 9, 30);
const makePacket = (index: number, size: number) => new Uint8Array(size).fill((index % 255) + 1);

async function openStorage(omi: EmulatedOmi): Promise<OmiStorage> {
  const session = await openOmiSession(openEmulatedLink(omi), () => NOW);
  if (!session.storage) throw new Error('the recorder has no storage');
  return session.storage;
}

/** Creates a recorder with recordings made while disconnected. */
function createOmi(model: EmulatedModel, sizes: readonly number[]): EmulatedOmi {
  const omi = new EmulatedOmi({ model });
  omi.clock = NOW / 1000;
  for (const [index, size] of sizes.entries()) omi.capture(makePacket(index, size));
  return omi;
}

const getPackets = (blocks: readonly StoredBlock[]) => blocks.flatMap(({ packets }) => packets);
const catchErrorCode = (reading: Promise<unknown>) =>
  reading.then(
    () => 'none',
    (error: OmiError) => error.code,
  );
const models: readonly EmulatedModel[] = ['cv1', 'devkit2'];

it.each(models)('%s: returns the packets stored while disconnected, bit for bit', async (model) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 3, max: 160 }), { minLength: 1, maxLength: 100 }),
      async (sizes) => {
        const storage = await openStorage(createOmi(model, sizes));
        const { first, end } = await storage.range();
        const packets = getPackets(await storage.read(first, end - first));
        expect(packets).toEqual(sizes.map((size, index) => makePacket(index, size)));
      },
    ),
    { numRuns: 200 },
  );
});

it.each(models)(
  '%s: resumes at any block after lost connections, without losing audio',
  async (model) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 20, max: 160 }), { minLength: 30, maxLength: 100 }),
        fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 5 }),
        async (sizes, cuts) => {
          const omi = createOmi(model, sizes);
          const blocks: StoredBlock[] = [];
          const readAll = async () => {
            const storage = await openStorage(omi);
            const { end } = await storage.range();
            for (let next = blocks.length; next < end; next = blocks.length) {
              blocks.push(...(await storage.read(next, 5)));
            }
          };
          for (const cut of cuts) {
            let count = 0;
            omi.dropsStored = () => {
              if (count++ === cut) omi.cut();
              return false;
            };
            if ((await catchErrorCode(readAll())) === 'none') omi.cut();
          }
          omi.dropsStored = () => false;
          await readAll();
          expect(getPackets(blocks)).toEqual(sizes.map((size, index) => makePacket(index, size)));
          expect(blocks.map(({ number }) => number)).toEqual(blocks.map((_, index) => index));
        },
      ),
      { numRuns: 200 },
    );
  },
);

it.each(models)('%s: rejects a read with a lost notification', async (model) => {
  const omi = createOmi(model, new Array(50).fill(80));
  const storage = await openStorage(omi);
  let count = 0;
  omi.dropsStored = () => count++ === 3;
  const { end } = await storage.range();
  expect(await catchErrorCode(storage.read(0, end))).toBe('storage_incomplete');
  expect(getPackets(await storage.read(0, end))).toHaveLength(50);
});

it('stops a development kit that is still sending after a read has failed', async () => {
  const omi = createOmi('devkit2', new Array(50).fill(80));
  const link = openEmulatedLink(omi);
  const commands: (number | undefined)[] = [];
  let dropsPart = true;
  const session = await openOmiSession(
    {
      ...link,
      write(at, value) {
        if (value.length === 6) commands.push(value[0]);
        return link.write(at, value);
      },
      // Blocks arrive in two parts, and one part gets lost. The end of the file isn't reached.
      subscribe: (at, listener) =>
        link.subscribe(at, (bytes) => {
          if (bytes[0] === 100 && bytes.length === 1) return;
          listener(bytes.subarray(0, 300));
          if (bytes.length <= 300) return;
          if (!dropsPart) listener(bytes.subarray(300));
          dropsPart = false;
        }),
    },
    () => NOW,
  );
  const read = session.storage?.read(0, 5) ?? Promise.reject(new Error('no storage'));
  expect(await catchErrorCode(read)).toBe('storage_incomplete');
  expect(commands).toEqual([0, 3]);
  expect(getPackets((await session.storage?.read(0, 5)) ?? [])).toHaveLength(25);
});

it.each(models)('%s: deletes only blocks that were read', async (model) => {
  const omi = createOmi(model, new Array(50).fill(80));
  const storage = await openStorage(omi);
  const { end } = await storage.range();
  await storage.deleteBefore(end - 1);
  expect(omi.storedBlocks).toBe(model === 'cv1' ? 1 : end);
  await storage.deleteBefore(end);
  expect(omi.storedBlocks).toBe(0);
});

it('returns the time of each block, or null if the recorder’s clock was not set', async () => {
  const omi = createOmi('cv1', new Array(10).fill(80));
  omi.reboot();
  for (let index = 0; index < 10; index += 1) omi.capture(makePacket(index, 80));
  const storage = await openStorage(omi);
  const blocks = await storage.read(0, 10);
  expect(blocks.map(({ time }) => time)).toEqual([NOW / 1000, null, null]);
  expect(omi.clock).toBe(NOW / 1000);
});

it('rejects reading blocks that the recorder has already deleted', async () => {
  const omi = createOmi('cv1', new Array(50).fill(80));
  const storage = await openStorage(omi);
  omi.dropOldest(3);
  expect(await catchErrorCode(storage.read(0, 5))).toBe('storage_refused');
  expect((await storage.range()).first).toBe(3);
});

it('offers no storage for a recorder that stores nothing', async () => {
  const omi = new EmulatedOmi({ model: 'devkit1' });
  const session = await openOmiSession(openEmulatedLink(omi), () => NOW);
  expect(session.storage).toBeNull();
});
