import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ModelFailure } from './failure.ts';

/** Whether a file is an archive, by its name. */
export function isArchive(name: string): boolean {
  return /\.(tar\.bz2|tbz2|tar\.gz|tgz|tar)$/.test(name);
}

/**
 * Unpacks an archive with the system's `tar`, which keeps members below the folder.
 * @throws ModelFailure
 */
export async function unpack(
  archive: string,
  folder: string,
  { signal, privateRoot }: { signal?: AbortSignal; privateRoot?: string | undefined } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  // An absolute path: in a name that begins otherwise, a colon means another machine.
  const child = spawn('tar', ['-xf', path.resolve(archive), '-C', folder, '--no-same-owner'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // It starts bzip2, wherever that is.
    env: { ...process.env, PATH: programs(privateRoot) },
    signal,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-500);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ModelFailure('tar is missing: install the packages tar and bzip2', { cause });
  });
  if (code === 0) return;
  if (/bzip2: (Cannot exec|not found)|exec.*bzip2/i.test(said)) {
    throw new ModelFailure('bzip2 is missing, which tar needs: install the package bzip2');
  }
  throw new ModelFailure(`${archive} cannot be unpacked: ${said.trim().split('\n')[0]}`);
}

function programs(privateRoot: string | undefined): string {
  const own = privateRoot === undefined ? [] : [path.join(privateRoot, 'bin')];
  return [process.env.PATH ?? '', ...own].join(path.delimiter);
}
