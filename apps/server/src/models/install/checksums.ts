/**
 * Finds the SHA-256 of downloads that aren't in the catalog: in the publisher's list, or as seen at the first
 * installation.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ModelFailure } from '../failure.ts';
import type { Trust } from '../manifest.ts';
import type { Source } from './installation.ts';
import { getFileName } from './location.ts';

/**
 * File in `MODELS_DIR` with the SHA-256 of each URL without a published checksum, as seen at the first installation.
 */
const PINS_FILE = '.pins.json';
/** The publisher's list of SHA-256 checksums, located next to the release files. */
const LIST_FILE = 'checksum.txt';
/** Maximum length of the list. Real lists have a few hundred lines. */
const MAX_LIST_LENGTH = 2 ** 20;

/** Returns a file's SHA-256 from the publisher's list, if any. Each line has a name and a hash. */
export async function listedChecksum(
  address: string,
  signal: AbortSignal | undefined,
): Promise<{ sha256: string; trust: Trust } | undefined> {
  const response = await fetch(new URL(LIST_FILE, address), { signal: signal ?? null }).catch(
    (cause: unknown) => {
      signal?.throwIfAborted();
      throw new ModelFailure(`${new URL(address).host} cannot be reached`, {
        code: 'unreachable',
        cause,
      });
    },
  );
  if (!response.ok) {
    await response.body?.cancel();
    return undefined;
  }
  const text = (await response.text()).slice(0, MAX_LIST_LENGTH);
  for (const line of text.split('\n')) {
    const words = line.trim().split(/[\s*]+/);
    const sha256 = words.find((word) => /^[0-9a-f]{64}$/i.test(word));
    if (sha256 && words.includes(getFileName(address))) {
      return { sha256: sha256.toLowerCase(), trust: 'listed' };
    }
  }
  return undefined;
}

async function readPins(folder: string): Promise<Record<string, string>> {
  const file = path.join(folder, PINS_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  return JSON.parse(text) as Record<string, string>;
}

/** Returns the SHA-256 of a URL's first installation, if any. */
export async function pinnedChecksum(folder: string, address: string) {
  const sha256 = (await readPins(folder))[address];
  return sha256 === undefined ? undefined : { sha256, trust: 'first-use' as Trust };
}

/** Stores the SHA-256 of a first installation. */
export async function pinChecksum(folder: string, { address, sha256 }: Source): Promise<void> {
  const pins = { ...(await readPins(folder)), [address]: sha256 };
  const file = path.join(folder, PINS_FILE);
  await writeFile(`${file}.new`, `${JSON.stringify(pins, null, 2)}\n`);
  await rename(`${file}.new`, file);
}
