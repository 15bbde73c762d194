import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ModelFailure } from './failure.ts';

/** True if a file name has an archive's extension. */
export function isArchive(name: string): boolean {
  return /\.(tar\.bz2|tbz2|tar\.gz|tgz|tar)$/.test(name);
}

/**
 * Unpacks an archive with the system's `tar`, which keeps all members within the folder.
 * @throws ModelFailure
 */
export async function unpack(
  archive: string,
  folder: string,
  { signal, privateRoot }: { signal?: AbortSignal; privateRoot?: string | undefined } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  // The path must be absolute, because tar interprets a colon in a relative path as the end of a host name.
  const child = spawn('tar', ['-xf', path.resolve(archive), '-C', folder, '--no-same-owner'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // tar finds bzip2 in PATH. Its messages are parsed below, so force English.
    env: { ...process.env, PATH: searchPath(privateRoot), LC_ALL: 'C' },
    signal,
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-500);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ModelFailure('tar is not installed: install the packages tar and bzip2', { cause });
  });
  if (code === 0) return;
  if (/bzip2: (Cannot exec|not found)|exec.*bzip2/i.test(errors)) {
    throw new ModelFailure('bzip2, which tar needs, is not installed: install the package bzip2');
  }
  if (/No space left on device|Disk quota exceeded/.test(errors)) {
    throw new ModelFailure(`not enough disk space to unpack ${archive}`, { code: 'storage-full' });
  }
  throw new ModelFailure(`${archive} cannot be unpacked: ${errors.trim().split('\n')[0]}`);
}

function searchPath(privateRoot: string | undefined): string {
  const privateBin = privateRoot === undefined ? [] : [path.join(privateRoot, 'bin')];
  return [process.env.PATH ?? '', ...privateBin].join(path.delimiter);
}
