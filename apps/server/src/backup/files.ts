import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { z } from 'zod';
import type { FileDigest } from './manifest.ts';
import { BackupFailure } from './manifest.ts';

/** Writes a new file with mode 0600 and flushes it to disk. */
export async function writeNew(
  file: string,
  source: AsyncIterable<Uint8Array | string>,
  through: Duplex = new PassThrough(),
): Promise<FileDigest> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    source,
    through,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Verifies a file's size and hash.
 * @throws BackupFailure if the file is missing or has changed
 */
export async function verifyFile(folder: string, name: string, digest: FileDigest): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path.join(folder, name))) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new BackupFailure(`${name} is missing from this backup`);
  }
  if (bytes !== digest.bytes || hash.digest('hex') !== digest.sha256) {
    throw new BackupFailure(`${name} in this backup is damaged`);
  }
}

/** Reads a file of JSON lines and parses each line with the schema. */
export async function* readLines<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): AsyncIterable<z.infer<Schema>> {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    yield schema.parse(JSON.parse(line));
  }
}

export async function* toLines(values: Iterable<object>): AsyncIterable<string> {
  for (const value of values) yield `${JSON.stringify(value)}\n`;
}
