import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** A backup that cannot be made or restored; the message says why, for the operator. */
export class BackupFailure extends Error {
  override readonly name = 'BackupFailure';
}

const count = z.int().min(0);
const mark = z.object({ bytes: count, sha256: z.hash('sha256') });

/** A file as it lies in the backup. */
export type Mark = z.infer<typeof mark>;

/**
 * What a backup holds. It is written last: a folder without one is half a backup.
 *
 *     manifest.json          this, and its own hash
 *     tables/NAME.copy.gz    a table's rows as PostgreSQL's COPY writes them, gzipped
 *     jobs.jsonl             jobs that waited or ran: {name, payload}
 *     objects.jsonl          every object: {key, bytes, sha256}
 *     objects/KEY            its bytes
 *     secrets/NAME           files of DATA_DIR
 */
const manifest = z.object({
  format: z.literal(1),
  /** The product's version that made it. */
  version: z.string(),
  created_at: z.iso.datetime(),
  postgres: z.string(),
  /** The migrations the database had, in order. */
  migrations: z.array(z.string()).min(1),
  /** In the order in which they can be filled. */
  tables: z.array(
    mark.extend({ name: z.string(), columns: z.array(z.string()).min(1), rows: count }),
  ),
  jobs: mark.extend({ count }),
  objects: mark.extend({ count, total_bytes: count }),
  secrets: z.array(mark.extend({ name: z.string() })),
  /** Where the signing secret was, and what tells it from another. */
  secret: z.object({ from: z.enum(['file', 'environment']), fingerprint: z.hash('sha256') }),
});
export type Manifest = z.infer<typeof manifest>;

export const jobLine = z.object({ name: z.string(), payload: z.looseObject({}) });
export type JobLine = z.infer<typeof jobLine>;
export const objectLine = mark.extend({ key: z.string() });
export type ObjectLine = z.infer<typeof objectLine>;

export const files = {
  manifest: 'manifest.json',
  jobs: 'jobs.jsonl',
  objects: 'objects.jsonl',
  table: (name: string) => path.join('tables', `${name}.copy.gz`),
  object: (key: string) => path.join('objects', key),
  secret: (name: string) => path.join('secrets', name),
} as const;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

export function sealManifest(content: Manifest): string {
  return `${JSON.stringify({ manifest: content, sha256: hashOf(JSON.stringify(content)) }, null, 1)}\n`;
}

/** @throws BackupFailure when there is none, or it was changed, or is of another format */
export async function openManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(path.join(folder, files.manifest), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new BackupFailure(
      `${folder} is not a whole backup: it has no ${files.manifest}, which is written last`,
    );
  }
  const damaged = new BackupFailure(`${files.manifest} of this backup is damaged`);
  const sealed = parse(text);
  if (sealed === null || hashOf(JSON.stringify(sealed.manifest)) !== sealed.sha256) throw damaged;
  const read = manifest.safeParse(sealed.manifest);
  if (read.success) return read.data;
  throw new BackupFailure('this backup was made by another version, in a format unknown here');
}

/** The manifest beside its hash, as sealed; its own order of fields is kept. */
const seal = z.object({ manifest: z.record(z.string(), z.unknown()), sha256: z.string() });

function parse(text: string): z.infer<typeof seal> | null {
  try {
    return seal.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
