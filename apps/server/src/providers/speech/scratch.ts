import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpeechFailure } from './port.ts';

/** Prefix of temporary folders, followed by the process ID to find the folders of killed processes. */
const PREFIX = 'linnet-speech-';

/**
 * Creates a temporary folder, and removes it when `callback` settles.
 * @throws SpeechFailure `scratch-failed` if the folder can't be created
 */
export async function withScratch<T>(callback: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeFolder();
  try {
    return await callback(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  } catch (cause) {
    throw new SpeechFailure('scratch-failed', 'no temporary folder', cause);
  }
}

/** Removes the folders of processes that are no longer running. Returns the number of folders removed. */
export async function sweepScratch(): Promise<number> {
  let removedCount = 0;
  for (const name of await readdir(tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isRunning(Number(owner))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
    removedCount += 1;
  }
  return removedCount;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // EPERM: the process runs as a different user.
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}
