/** Creates backups of a running server. `restore.ts` restores them, and `manifest.ts` describes the format. */
import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { Config } from '../config/index.ts';
import type { ObjectStore } from '../providers/storage/port.ts';
import { StorageFailure } from '../providers/storage/port.ts';
import { loadKeys, secretFiles } from '../secrets.ts';
import { toLines, writeNew } from './files.ts';
import type { Manifest, ObjectLine } from './manifest.ts';
import { BackupFailure, files, sealManifest } from './manifest.ts';
import { dumpTable, listTables, prepareSession } from './tables.ts';

export interface BackupDependencies {
  readonly config: Pick<Config, 'DATA_DIR' | 'SECRET' | 'version'>;
  /** The database URL. */
  readonly url: string;
  readonly store: ObjectStore;
  readonly now: () => Date;
}

export interface BackupResult {
  readonly manifest: Manifest;
  /**
   * Number of recordings without audio in the store. Their audio was deleted during the backup or had already been
   * lost.
   */
  readonly withoutAudio: number;
}

type DatabasePart = Pick<Manifest, 'postgres' | 'migrations' | 'tables' | 'jobs'> & {
  /** Keys of the objects that recordings and tasks reference. */
  readonly audio: readonly string[];
};

/**
 * Backs up a running server into a new folder: first a consistent snapshot of the database, then the objects (including
 * every object that the snapshot references), then the secrets.
 * @throws BackupFailure if the folder isn't empty
 */
export async function makeBackup(deps: BackupDependencies, folder: string): Promise<BackupResult> {
  const { config, store, now } = deps;
  await createFolder(folder);
  const createdAt = now().toISOString();
  const { audio, ...database } = await dumpDatabase(deps.url, folder);
  const { knownKeys, ...objects } = await copyObjects(store, folder);
  const { fingerprint } = await loadKeys(config);
  const manifest: Manifest = {
    format: 1,
    version: config.version,
    created_at: createdAt,
    ...database,
    objects,
    secrets: await copySecrets(config, folder),
    secret: {
      from: config.SECRET === undefined ? 'file' : 'environment',
      fingerprint: Buffer.from(fingerprint).toString('hex'),
    },
  };
  await writeNew(path.join(folder, files.manifest), toText(sealManifest(manifest)));
  await syncFolder(folder);
  return { manifest, withoutAudio: audio.filter((key) => !knownKeys.has(key)).length };
}

async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const [first] = await readdir(folder);
  if (first === undefined) return;
  throw new BackupFailure(`${folder} is not empty: choose an empty folder for the backup`);
}

async function dumpDatabase(url: string, folder: string): Promise<DatabasePart> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await prepareSession(client);
    await client.query('begin isolation level repeatable read read only');
    const { rows: applied } = await client.query<{ name: string }>(
      'select name from kysely_migration order by name',
    );
    const tables: Manifest['tables'] = [];
    for (const { name, columns } of await listTables(client)) {
      const digest = await dumpTable(
        client,
        { name, columns },
        path.join(folder, files.table(name)),
      );
      tables.push({ name, columns: [...columns], ...digest });
    }
    // In databases of older versions, tasks have no separate audio.
    const hasTaskAudio = tables.some(
      ({ name, columns }) => name === 'tasks' && columns.includes('audio_key'),
    );
    const { rows: audio } = await client.query<{ object_key: string }>(
      `select object_key from recordings where object_key is not null ${
        hasTaskAudio ? 'union all select audio_key from tasks where audio_key is not null' : ''
      }`,
    );
    const jobs = await openJobs(client);
    const { rows: server } = await client.query<{ server_version: string }>('show server_version');
    const jobsMark = await writeNew(path.join(folder, files.jobs), toLines(jobs));
    return {
      postgres: server[0]?.server_version ?? '',
      migrations: applied.map(({ name }) => name),
      tables,
      jobs: { count: jobs.length, ...jobsMark },
      audio: audio.map(({ object_key: key }) => key),
    };
  } finally {
    await client.end();
  }
}

/** Lists queued and running jobs. Scheduled jobs are omitted, because the scheduler recreates them. */
async function openJobs(client: pg.Client): Promise<{ name: string; payload: object }[]> {
  const { rows: installed } = await client.query("select to_regclass('pgboss.job') as job");
  if (installed[0]?.job === null) return [];
  const { rows } = await client.query<{ name: string; payload: object }>(`
    select name, data as payload from pgboss.job
    where state in ('created', 'retry', 'active') and left(name, 2) <> '__'
      and name not in (select name from pgboss.schedule)
    order by created_on, id`);
  return rows;
}

async function copyObjects(
  store: ObjectStore,
  folder: string,
): Promise<Manifest['objects'] & { knownKeys: ReadonlySet<string> }> {
  const lines: ObjectLine[] = [];
  for await (const { key } of store.list('')) {
    try {
      const bytes = await store.read(key);
      lines.push({ key, ...(await writeNew(path.join(folder, files.object(key)), bytes)) });
    } catch (error) {
      // The object was deleted after it was listed.
      if (!(error instanceof StorageFailure && error.code === 'not-found')) throw error;
    }
  }
  const digest = await writeNew(path.join(folder, files.objects), toLines(lines));
  return {
    count: lines.length,
    total_bytes: lines.reduce((sum, { bytes }) => sum + bytes, 0),
    ...digest,
    knownKeys: new Set(lines.map(({ key }) => key)),
  };
}

async function copySecrets(
  { DATA_DIR, SECRET }: BackupDependencies['config'],
  folder: string,
): Promise<Manifest['secrets']> {
  const copied: Manifest['secrets'] = [];
  for (const name of Object.values(secretFiles)) {
    // If SECRET is set, the file isn't used.
    if (name === secretFiles.signing && SECRET !== undefined) continue;
    const secret = await readFile(path.join(DATA_DIR, name)).catch((error) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (secret === null) continue;
    const digest = await writeNew(path.join(folder, files.secret(name)), toText(secret));
    copied.push({ name, ...digest });
  }
  return copied;
}

async function* toText<Chunk extends string | Uint8Array>(chunk: Chunk): AsyncIterable<Chunk> {
  yield chunk;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
