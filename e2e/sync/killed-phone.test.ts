/** Kills the app during a transfer, and asserts that durable bytes survive and aren't transferred again. */
import { fork } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demuxOgg } from '@linnet/audio/ogg';
import { CHUNK_SIZE } from '@linnet/device/codec';
import { readConfig } from '@linnet/virtual-recorder/config';
import { type RunningRecorder, startRecorder } from '@linnet/virtual-recorder/start';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PhoneMessage } from '../support/killable-phone.ts';
import { addLongSession } from '../support/long-session.ts';

const MINUTES = 10;
/** How much of the session is durable at each kill, in percent. */
const KILLS = [1, 3, 10, 25, 50, 75, 90, 97, 99] as const;
/** The recorder's speed as a multiple of real time. The app still waits 300 ms between commands. */
const SPEED = 20;

const script = join(import.meta.dirname, '../support/killable-phone.ts');
let dir: string;
let running: RunningRecorder;
let bytes: number;
let packets: Uint8Array;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-killed-phone-'));
  const env = {
    RECORDER_PORT: '0',
    RECORDER_CONFIRM: 'auto',
    DATA_DIR: dir,
    RECORDER_SCENES: dir,
    RECORDER_SCENE: '',
  };
  running = await startRecorder(readConfig(env));
  running.recorder.clock.speed = SPEED;
  const session = await addLongSession(running, MINUTES);
  bytes = session.bytes;
  packets = await running.recorder.flash.read(session.sessionId, 0, bytes);
});
afterAll(async () => {
  await running.stop();
  await rm(dir, { recursive: true });
});

/**
 * Runs the app until it exits, or until `isEnd` returns true and the test kills it.
 * @returns the byte at which the transfer started (-1 if it didn't), and the last byte reported as durable
 */
async function runPhone(folder: string, isEnd: (message: PhoneMessage) => boolean) {
  const radio = `${running.url.replace('http', 'ws')}/ble?payload=495`;
  const phone = fork(script, [folder, radio]);
  let offset = -1;
  let durable = 0;
  await new Promise<void>((resolve, reject) => {
    phone.on('message', (received) => {
      const message = received as PhoneMessage;
      if (message.type === 'started') offset = message.offset;
      if (message.type === 'durable') durable = message.bytes;
      if (isEnd(message)) phone.kill('SIGKILL');
    });
    phone.on('exit', (code, signal) =>
      code === 0 || signal === 'SIGKILL'
        ? resolve()
        : reject(new Error(`phone exited with ${code}`)),
    );
  });
  return { offset, durable: Math.max(offset, durable) };
}

/** Returns the packets of the finished audio file. */
async function readStoredPackets(folder: string): Promise<Buffer> {
  const name = (await readdir(folder)).find((each) => each.endsWith('.ogg')) ?? expect.fail('none');
  return Buffer.concat(demuxOgg(await readFile(join(folder, name))).packets);
}

it('resumes after each kill at the first byte that is not durable', async () => {
  const folder = await mkdtemp(join(dir, 'phone-'));
  let durableBefore = 0;
  let readTwice = 0;
  for (const percent of KILLS) {
    const threshold = Math.floor((bytes * percent) / 100);
    const run = await runPhone(
      folder,
      (message) => message.type === 'durable' && message.bytes >= threshold,
    );
    // All reported bytes are durable. One more chunk may have become durable just before the kill.
    expect(run.offset).toBeGreaterThanOrEqual(durableBefore);
    expect(run.offset % CHUNK_SIZE).toBe(0);
    readTwice += Math.max(0, durableBefore - run.offset);
    durableBefore = run.durable;
  }
  const converting = await runPhone(folder, ({ type }) => type === 'converting');
  expect(converting.offset).toBeGreaterThanOrEqual(durableBefore);
  const last = await runPhone(folder, () => false);
  // All bytes were already durable, so the app requested none and only created the files.
  expect([last.offset, last.durable]).toEqual([-1, 0]);
  expect((await readStoredPackets(folder)).equals(packets)).toBe(true);
  console.info(JSON.stringify({ kills: KILLS.length + 1, lostBytes: 0, readTwice }));
});
