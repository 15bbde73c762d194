/** The recorder is killed at every stage of an update: it boots an image all the same, and takes the next. */
import { type ChildProcess, fork } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Firmware } from './flash/firmware.ts';
import { Flash } from './flash/flash.ts';
import type { Image } from './testing/updating-process.ts';

/** Percent of the image after which the recorder is killed while it comes. */
const COMING = [0, 1, 25, 50, 75, 99];
/** Kills between the last packet and the restart, at moments spread over the time that takes. */
const INSTALLING = 20;
const IMAGE_BYTES = 30_000;

const signer = generateKeyPairSync('ed25519');
const key = signer.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
let dir: string;
/** A flash whose firmware is not the factory's, so that a damaged image would show. */
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

function updating(on: string, to: Image): ChildProcess {
  const script = join(import.meta.dirname, 'testing/updating-process.ts');
  const child = fork(script, [on, key.toString('base64')]);
  child.send(to);
  return child;
}

const boots = async (on: string) =>
  (await Firmware.boot(await Flash.open(on), signer.publicKey)).version;

/** Resolves when so much of the image has come. */
function come(child: ChildProcess, wanted: number): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      const { percent = -1 } = message as { percent?: number };
      if (percent >= wanted) resolve();
    });
    child.on('exit', () => reject(new Error('it ended before')));
  });
}

/** Resolves when the recorder restarts with what was installed, and ends the process. */
async function restarted(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message) => message === 'restarts' && resolve());
    child.on('exit', () => reject(new Error('it ended before')));
  });
  child.removeAllListeners('exit');
  await killed(child);
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-killed-'));
  flash = join(dir, 'flash');
  await restarted(updating(flash, image('1.1.0')));
  expect(await boots(flash)).toBe('1.1.0');
});
afterAll(() => rm(dir, { recursive: true }));

test('killed while the image comes, it boots what it had, and takes the image afterwards', async () => {
  const next = image('1.2.0');
  for (const percent of COMING) {
    const copy = join(dir, `coming-${percent}`);
    await cp(flash, copy, { recursive: true });
    const child = updating(copy, next);
    await come(child, percent);
    await killed(child);
    const version = await boots(copy);
    // Behind its last packet it may be installed already.
    expect(percent < 99 ? ['1.1.0'] : ['1.1.0', '1.2.0']).toContain(version);
    if (version === '1.1.0') await restarted(updating(copy, next));
    expect(await boots(copy)).toBe('1.2.0');
  }
});

test('killed while the image is checked and installed, it boots the old one or the new one', async () => {
  const next = image('1.2.0');
  const whole = join(dir, 'whole');
  await cp(flash, whole, { recursive: true });
  const undisturbed = updating(whole, next);
  await come(undisturbed, 99);
  const begun = performance.now();
  await restarted(undisturbed);
  const took = performance.now() - begun;

  const booted: Record<string, number> = {};
  for (let kill = 0; kill < INSTALLING; kill++) {
    const copy = join(dir, `installing-${kill}`);
    await cp(flash, copy, { recursive: true });
    const child = updating(copy, next);
    await come(child, 99);
    // No condition is waited for here: the moment itself is what is tried.
    await delay((took * kill) / (INSTALLING - 1));
    child.removeAllListeners('exit');
    await killed(child);
    const version = await boots(copy);
    expect(['1.1.0', '1.2.0']).toContain(version);
    booted[version] = (booted[version] ?? 0) + 1;
  }
  // Kills that all came before, or all after, would have tried nothing.
  expect(Object.keys(booted).toSorted()).toEqual(['1.1.0', '1.2.0']);
  console.info(JSON.stringify({ kills: COMING.length + INSTALLING, booted, bricked: 0 }));
});
