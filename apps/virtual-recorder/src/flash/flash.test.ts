import { createHash } from 'node:crypto';
import { appendFile, chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Flash } from './flash.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-flash-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true });
});

const metadata = { startTime: 7, mode: 'normal', scene: 'note', owner: null } as const;
const packet = (fill: number) => new Uint8Array(160).fill(fill);

async function record(flash: Flash, packets: number) {
  const { record: created, writer } = await flash.createSession(metadata, () => {});
  for (let index = 0; index < packets; index++) writer.append([packet(index)]);
  await writer.flushed();
  return { sessionId: created.sessionId, writer };
}

test('an image is accessible only to its owner, including images of older versions', async () => {
  const before = process.umask(0o022);
  try {
    await mkdir(join(dir, 'sessions'));
    await chmod(dir, 0o755);
    const flash = await Flash.open(dir);
    const { sessionId, writer } = await record(flash, 2);
    await flash.closeSession(sessionId, await writer.finish());
    const readMode = async (...path: string[]) => (await stat(join(dir, ...path))).mode & 0o777;
    expect(await readMode()).toBe(0o700);
    expect(await readMode('sessions')).toBe(0o700);
    for (const file of ['state.json', `sessions/${sessionId}.opus`, `sessions/${sessionId}.json`]) {
      expect(await readMode(file), file).toBe(0o600);
    }
  } finally {
    process.umask(before);
  }
});

test('a new image has a unique, persistent serial number', async () => {
  const first = await Flash.open(dir);
  expect(first.state.sn).toMatch(/^LNR1[0-9A-F]{8}$/);
  expect(Number.parseInt(first.state.mac.slice(0, 2), 16) & 3).toBe(2);
  await first.saveState({ isBind: true });
  const again = await Flash.open(dir);
  expect(again.state).toEqual({ ...first.state, isBind: true });
});

test('a closed session persists with its size and hash', async () => {
  const flash = await Flash.open(dir);
  const { sessionId, writer } = await record(flash, 3);
  await flash.closeSession(sessionId, await writer.finish());
  const again = await Flash.open(dir);
  const packets = Buffer.concat([packet(0), packet(1), packet(2)]);
  expect(again.session(sessionId)).toEqual({
    sessionId,
    hasMarkers: false,
    ...metadata,
    closed: { fileSize: 480, sha256: createHash('sha256').update(packets).digest('hex') },
  });
  expect(Buffer.from(await again.read(sessionId, 160, 9999))).toEqual(packets.subarray(160));
  expect(again.usedBytes()).toBe(480);
});

test('an imported session is listed only once it is complete', async () => {
  const flash = await Flash.open(dir);
  const seen: (string | undefined)[] = [];
  let isStored = false;
  const storing = flash.storeSession(metadata, [packet(1), packet(2)]).finally(() => {
    isStored = true;
  });
  while (!isStored) {
    for (const { closed } of flash.sessions()) seen.push(closed?.sha256);
    await new Promise(setImmediate);
  }
  const stored = await storing;
  const packets = Buffer.concat([packet(1), packet(2)]);
  const sha256 = createHash('sha256').update(packets).digest('hex');
  expect(stored.closed).toEqual({ fileSize: 320, sha256 });
  expect(seen.filter((each) => each !== sha256)).toEqual([]);
  expect((await Flash.open(dir)).sessions()).toEqual([stored]);
});

test('a session imported during a claim belongs to the claiming account', async () => {
  const flash = await Flash.open(dir);
  const storing = flash.storeSession(metadata, [packet(1)]);
  await flash.saveState({ binding: { key: 'key', owner: 'owner' } });
  await flash.adoptSessions('owner');
  expect((await storing).owner).toBe('owner');
});

test('a session interrupted by a power loss keeps every complete packet', async () => {
  const flash = await Flash.open(dir);
  const { sessionId } = await record(flash, 5);
  await appendFile(join(dir, 'sessions', `${sessionId}.opus`), new Uint8Array(77));
  const again = await Flash.open(dir);
  const packets = Buffer.concat([0, 1, 2, 3, 4].map(packet));
  expect(again.session(sessionId)?.closed).toEqual({
    fileSize: 800,
    sha256: createHash('sha256').update(packets).digest('hex'),
  });
  expect(Buffer.from(await again.read(sessionId, 0, 9999))).toEqual(packets);
});

test('sessions without packets and packets without a record are removed', async () => {
  const flash = await Flash.open(dir);
  const { sessionId } = await record(flash, 0);
  await writeFile(join(dir, 'sessions', '900.opus'), packet(1));
  const again = await Flash.open(dir);
  expect(again.sessions()).toEqual([]);
  expect(await readdir(join(dir, 'sessions'))).toEqual([]);
  const next = await record(again, 1);
  expect(next.sessionId).toBeGreaterThan(sessionId);
});

test('partially written state and records are ignored', async () => {
  const flash = await Flash.open(dir);
  await writeFile(join(dir, 'state.json.new'), '{"sn":"half');
  await writeFile(join(dir, 'sessions', '5.json.new'), '{"sess');
  const again = await Flash.open(dir);
  expect(again.state).toEqual(flash.state);
  expect(again.sessions()).toEqual([]);
});

test('deleted sessions stay deleted, and their IDs are not reused', async () => {
  const flash = await Flash.open(dir);
  const first = await record(flash, 1);
  await flash.closeSession(first.sessionId, await first.writer.finish());
  await flash.deleteSession(first.sessionId);
  const again = await Flash.open(dir);
  expect(again.sessions()).toEqual([]);
  expect((await record(again, 1)).sessionId).toBeGreaterThan(first.sessionId);
});

test('bytes count as durable only after a sync', async () => {
  const flash = await Flash.open(dir);
  let durableSize = 0;
  const { writer } = await flash.createSession(metadata, () => {
    durableSize = writer.durableSize;
  });
  writer.append([packet(1), packet(2)]);
  expect(writer.durableSize).toBe(0);
  expect(writer.size).toBe(320);
  await writer.flushed();
  expect(writer.durableSize).toBe(320);
  expect(durableSize).toBe(320);
});

test('assigning an owner preserves concurrent closes and deletions', async () => {
  const flash = await Flash.open(dir);
  const [first, second, third] = [
    await record(flash, 1),
    await record(flash, 1),
    await record(flash, 1),
  ];
  const adopted = flash.adoptSessions('owner');
  const closed = await third.writer.finish();
  await Promise.all([
    adopted,
    flash.closeSession(third.sessionId, closed),
    flash.deleteSession(second.sessionId),
  ]);
  const remaining = [first.sessionId, third.sessionId];
  expect(flash.session(third.sessionId)).toMatchObject({ owner: 'owner', closed });
  expect(flash.sessions().map(({ sessionId }) => sessionId)).toEqual(remaining);
  const again = await Flash.open(dir);
  expect(again.sessions().map(({ sessionId }) => sessionId)).toEqual(remaining);
  expect(again.session(third.sessionId)).toMatchObject({ owner: 'owner', closed });
});
