/** Kills the recorder at every stage of an update. It must always boot an image and accept the next update. */
import { type ChildProcess, fork } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Firmware } from './flash/firmware.ts';
import { Flash } from './flash/flash.ts';
import type { Image } from './testing/updating-process.ts';

/** The transfer progress, in percent, at which the recorder is killed. */
const COMING_PERCENTS = [0, 1, 25, 50, 75, 99];
/** An upper bound on the number of file operations between the last packet and the restart. */
const MANY_KILLS = 100;
const IMAGE_BYTES = 30_000;

const signer = generateKeyPairSync('ed25519');
const key = signer.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
let dir: string;
/** A flash image with installed firmware, which makes a fallback to the factory firmware visible. */
let flash: string;

function image(version: string): Image {
  const bytes = randomBytes(IMAGE_BYTES);
  const head = Buffer.from(`Linnet firmware\nLNR1\n${version}\n`);
  const signature = sign(null, Buffer.concat([head, bytes]), signer.privateKey);
  return {
    version,
    bytes: bytes.toString('base64'),
    signature: signature.toString('base64'),
  };
}

/** @param killAt the file operation after the last packet at which the process kills itself */
function startUpdate(on: string, to: Image, killAt?: number): ChildProcess {
  const script = join(import.meta.dirname, 'testing/updating-process.ts');
  const killArgs = killAt === undefined ? [] : [`${killAt}`];
  const child = fork(script, [on, key.toString('base64'), ...killArgs]);
  child.send(to);
  return child;
}

const boots = async (on: string) =>
  (await Firmware.boot(await Flash.open(on), signer.publicKey)).version;

/** Resolves when the transfer reaches this progress. */
function waitForProgress(child: ChildProcess, target: number): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      const { percent = -1 } = message as { percent?: number };
      if (percent >= target) resolve();
    });
    child.on('exit', () => reject(new Error('it ended before')));
  });
}

/** Resolves when the recorder restarts with the installed image, then stops the process. */
async function waitForRestart(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message) => message === 'restarts' && resolve());
    child.on('exit', () => reject(new Error('it ended before')));
  });
  child.removeAllListeners('exit');
  await waitForKill(child);
}

async function waitForKill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-killed-'));
  flash = join(dir, 'flash');
  await waitForRestart(startUpdate(flash, image('1.1.0')));
  expect(await boots(flash)).toBe('1.1.0');
});
afterAll(() => rm(dir, { recursive: true }));

test('the recorder boots the old image after a kill during the transfer and accepts the image again', async () => {
  const next = image('1.2.0');
  for (const percent of COMING_PERCENTS) {
    const copy = join(dir, `coming-${percent}`);
    await cp(flash, copy, { recursive: true });
    const child = startUpdate(copy, next);
    await waitForProgress(child, percent);
    await waitForKill(child);
    const version = await boots(copy);
    // After the last packet, the image may already be installed.
    expect(percent < 99 ? ['1.1.0'] : ['1.1.0', '1.2.0']).toContain(version);
    if (version === '1.1.0') await waitForRestart(startUpdate(copy, next));
    expect(await boots(copy)).toBe('1.2.0');
  }
});

// The long timeout is for about thirty consecutive processes.
test('the recorder boots the old or the new image after a kill during the installation', {
  timeout: 600_000,
}, async () => {
  const next = image('1.2.0');
  const booted: string[] = [];
  for (let step = 1; step < MANY_KILLS; step++) {
    const copy = join(dir, `installing-${step}`);
    await cp(flash, copy, { recursive: true });
    const child = startUpdate(copy, next, step);
    const isComplete = await waitForRestart(child).then(
      () => true,
      () => false,
    );
    const version = await boots(copy);
    expect(['1.1.0', '1.2.0']).toContain(version);
    booted.push(version);
    if (isComplete) break;
  }
  // How much of the image is still unwritten after the last packet depends on the machine. Around the switch to the new
  // image, a process killed at a later step may therefore have written less than one killed at an earlier step.
  expect(booted[0]).toBe('1.1.0');
  expect(booted.at(-1)).toBe('1.2.0');
  expect(booted.length).toBeGreaterThan(5);
  console.info(
    JSON.stringify({ kills: COMING_PERCENTS.length + booted.length, booted, bricked: 0 }),
  );
});
