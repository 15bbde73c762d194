import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** Thrown if a backup can't be created or restored. The message explains the cause to the operator. */
export class BackupFailure extends Error {
  override readonly name = 'BackupFailure';
}

const count = z.int().min(0);
const fileDigest = z.object({ bytes: count, sha256: z.hash('sha256') });

/** The size and digest of a file in the backup. */
export type FileDigest = z.infer<typeof fileDigest>;

/**
 * The contents of a backup. The manifest is written last, so a folder without it is an incomplete backup.
 *
 *     manifest.json          this manifest and its hash
 *     tables/NAME.copy.gz    rows of a table in PostgreSQL's COPY format, gzipped
 *     jobs.jsonl             queued and running jobs: {name, payload}
 *     objects.jsonl          index of the objects: {key, bytes, sha256}
 *     objects/KEY            content of an object
 *     secrets/NAME           files of DATA_DIR
 */
const manifest = z.object({
  format: z.literal(1),
  /** Version of the product that created the backup. */
  version: z.string(),
  created_at: z.iso.datetime(),
  postgres: z.string(),
  /** The applied migrations, in order. */
  migrations: z.array(z.string()).min(1),
  /** Tables in dependency order: each one after the tables that it references. */
  tables: z.array(
    fileDigest.extend({ name: z.string(), columns: z.array(z.string()).min(1), rows: count }),
  ),
  jobs: fileDigest.extend({ count }),
  objects: fileDigest.extend({ count, total_bytes: count }),
  secrets: z.array(fileDigest.extend({ name: z.string() })),
  /** Source of the signing secret, and a fingerprint that identifies it. */
  secret: z.object({ from: z.enum(['file', 'environment']), fingerprint: z.hash('sha256') }),
});
export type Manifest = z.infer<typeof manifest>;

export const jobLine = z.object({ name: z.string(), payload: z.looseObject({}) });
export type JobLine = z.infer<typeof jobLine>;
export const objectLine = fileDigest.extend({ key: z.string() });
export type ObjectLine = z.infer<typeof objectLine>;

export const files = {
  manifest: 'manifest.json',
  jobs: 'jobs.jsonl',
  objects: 'objects.jsonl',
  table: (name: string) => path.join('tables', `${name}.copy.gz`),
  object: (key: string) => path.join('objects', key),
  secret: (name: string) => path.join('secrets', name),
} as const;

const computeHash = (text: string) => createHash('sha256').update(text).digest('hex');

export function sealManifest(content: Manifest): string {
  return `${JSON.stringify({ manifest: content, sha256: computeHash(JSON.stringify(content)) }, null, 1)}\n`;
}

/**
 * Reads and verifies a backup's manifest.
 * @throws BackupFailure if the manifest is missing, damaged or in an unknown format
 */
export async function openManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(path.join(folder, files.manifest), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new BackupFailure(
      `${folder} is not a complete backup: it has no ${files.manifest}, which is written last`,
    );
  }
  const damagedFailure = new BackupFailure(`${files.manifest} in this backup is damaged`);
  const sealed = parse(text);
  if (sealed === null || computeHash(JSON.stringify(sealed.manifest)) !== sealed.sha256)
    throw damagedFailure;
  const parsedManifest = manifest.safeParse(sealed.manifest);
  if (parsedManifest.success) return parsedManifest.data;
  throw new BackupFailure('this backup was made by a different version, in an unknown format');
}

/** The manifest with its hash. The manifest isn't parsed here, because the hash depends on the order of its fields. */
const seal = z.object({ manifest: z.record(z.string(), z.unknown()), sha256: z.string() });

function parse(text: string): z.infer<typeof seal> | null {
  try {
    return seal.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
