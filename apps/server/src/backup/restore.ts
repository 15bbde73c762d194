/** Restores backups into an empty server. `backup.ts` creates them, and `manifest.ts` describes the format. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg, { escapeIdentifier } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import { ensureDataDir } from '../data-dir.ts';
import type { Database } from '../db/database.ts';
import { migrate, migrationNames } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import type { JobName, Jobs } from '../jobs/jobs.ts';
import { jobOptions } from '../jobs/jobs.ts';
import { openQueue } from '../jobs/queue.ts';
import type { ObjectStore } from '../providers/storage/port.ts';
import { checkKey } from '../providers/storage/port.ts';
import { loadKeys, secretFiles } from '../secrets.ts';
import { readLines, verifyFile } from './files.ts';
import type { JobLine, Manifest, ObjectLine } from './manifest.ts';
import { BackupFailure, files, jobLine, objectLine, openManifest } from './manifest.ts';
import { listTables, loadTable, prepareSession } from './tables.ts';

export interface RestoreDependencies {
  readonly config: Pick<Config, 'DATA_DIR' | 'SECRET'>;
  /** The database URL. */
  readonly url: string;
  readonly db: Database;
  readonly store: ObjectStore;
  readonly log: Logger;
}

/**
 * Restores a backup into an empty server of the same or a later version. The entire backup is verified before anything
 * is written. The rows are written last, in one transaction: a restore that is interrupted before the commit can be
 * repeated, and after the commit it is complete.
 * @throws BackupFailure if the backup is damaged or the server isn't empty
 */
export async function restoreBackup(deps: RestoreDependencies, folder: string): Promise<Manifest> {
  const { config, db, store, url } = deps;
  const manifest = await openManifest(folder);
  const { objects, jobs } = await verifyFiles(folder, manifest);
  const level = await checkLevel(manifest);
  await checkDatabase(url, level);
  await checkSecret(config, manifest);
  await checkSecretFiles(config, folder, manifest);
  await checkStore(store, objects);

  for (const { name } of manifest.secrets) {
    const target = path.join(await ensureDataDir(config.DATA_DIR), name);
    // Write and rename, because renaming is atomic. An interrupted write would leave a truncated secret.
    const draft = `${target}.restored`;
    await writeFile(draft, await readFile(path.join(folder, files.secret(name))), {
      mode: 0o600,
      flush: true,
    });
    await rename(draft, target);
  }
  for (const { key, bytes, sha256 } of objects.values()) {
    const body = createReadStream(path.join(folder, files.object(key)));
    const storedObject = await store.put(key, body, { maxBytes: bytes });
    if (storedObject.sha256 !== sha256) throw new BackupFailure(`${key} wasn't stored correctly`);
  }
  await migrate(db, level);
  await loadRows(deps, folder, manifest.tables, jobs);
  await migrate(db);
  return manifest;
}

async function verifyFiles(
  folder: string,
  manifest: Manifest,
): Promise<{ objects: Map<string, ObjectLine>; jobs: JobLine[] }> {
  for (const table of manifest.tables) await verifyFile(folder, files.table(table.name), table);
  await verifyFile(folder, files.jobs, manifest.jobs);
  await verifyFile(folder, files.objects, manifest.objects);
  for (const secret of manifest.secrets)
    await verifyFile(folder, files.secret(secret.name), secret);
  const objects = new Map<string, ObjectLine>();
  for await (const line of readLines(path.join(folder, files.objects), objectLine)) {
    checkKey(line.key);
    await verifyFile(folder, files.object(line.key), line);
    objects.set(line.key, line);
  }
  const jobs: JobLine[] = [];
  for await (const job of readLines(path.join(folder, files.jobs), jobLine)) {
    if (!(job.name in jobOptions))
      throw new BackupFailure(`this backup contains an unknown job ${job.name}`);
    jobs.push(job);
  }
  return { objects, jobs };
}

/** Returns the backup's last migration after checking that this version knows all of the backup's migrations. */
async function checkLevel({ migrations, version }: Manifest): Promise<string> {
  const knownMigrations = await migrationNames();
  const lastMigration = migrations.at(-1);
  if (
    lastMigration === undefined ||
    migrations.some((name, index) => knownMigrations[index] !== name)
  ) {
    throw new BackupFailure(
      `this backup was made by version ${version}, whose tables this version doesn't know: restore it with that version or a later one`,
    );
  }
  return lastMigration;
}

async function checkSecret(
  config: RestoreDependencies['config'],
  { secret, secrets }: Manifest,
): Promise<void> {
  if (config.SECRET === undefined) {
    if (secrets.some(({ name }) => name === secretFiles.signing)) return;
    throw new BackupFailure(
      'this backup was made with SECRET in the environment: set the same SECRET, or sessions and signed URLs would become invalid',
    );
  }
  const { fingerprint } = await loadKeys(config);
  if (Buffer.from(fingerprint).toString('hex') === secret.fingerprint) return;
  throw new BackupFailure(
    secret.from === 'file'
      ? 'SECRET is set, but this backup contains a secret: unset SECRET'
      : 'SECRET differs from the SECRET of this backup',
  );
}

async function checkSecretFiles(
  { DATA_DIR }: RestoreDependencies['config'],
  folder: string,
  { secrets }: Manifest,
): Promise<void> {
  const names: readonly string[] = Object.values(secretFiles);
  for (const { name } of secrets) {
    if (!names.includes(name))
      throw new BackupFailure(`this backup contains an unknown secret ${name}`);
    const existing = await readFile(path.join(DATA_DIR, name)).catch((error) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    const restored = await readFile(path.join(folder, files.secret(name)));
    if (existing !== null && !existing.equals(restored)) {
      throw new BackupFailure(
        `${DATA_DIR} already contains a different ${name}: restore into an empty DATA_DIR`,
      );
    }
  }
}

/** Accepts an empty store, or a store that contains only objects from an interrupted restore of this backup. */
async function checkStore(store: ObjectStore, objects: Map<string, ObjectLine>): Promise<void> {
  for await (const { key, size } of store.list('')) {
    if (objects.get(key)?.bytes === size) continue;
    throw new BackupFailure(
      `the store is not empty: it contains ${key}. Restore into an empty store`,
    );
  }
}

/** Accepts an unused database: without tables, or with empty tables at the backup's migration level. */
async function checkDatabase(url: string, level: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows: otherTables } = await client.query(`
      select 1 from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and backend_type = 'client backend'`);
    if (otherTables.length > 0) {
      throw new BackupFailure('the database is in use: stop the server before restoring');
    }
    const tables = await listTables(client);
    for (const { name } of tables) {
      const { rows } = await client.query(`select 1 from public.${escapeIdentifier(name)} limit 1`);
      if (rows.length === 0) continue;
      throw new BackupFailure(
        `the database is not empty: it contains ${name}. Restore into an empty database`,
      );
    }
    if (tables.length === 0) return;
    const { rows: applied } = await client.query(
      'select name from kysely_migration order by name desc limit 1',
    );
    if (applied[0]?.name === level) return;
    throw new BackupFailure(
      'the database has tables from a different version: restore into a database without tables',
    );
  });
}

/** Fills the tables and the queue in one transaction. */
async function loadRows(
  { url, log }: RestoreDependencies,
  folder: string,
  tables: Manifest['tables'],
  jobs: readonly JobLine[],
): Promise<void> {
  const queue = await openQueue(url, 'api', log);
  // The pool has a single connection, so Kysely and COPY share the transaction.
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const connected = once(pool, 'connect') as Promise<[pg.PoolClient]>;
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await db.transaction().execute(async (trx) => {
      const [client] = await connected;
      await prepareSession(client);
      for (const table of tables) {
        await loadTable(client, table, path.join(folder, files.table(table.name)));
      }
      // Phones may have seen changes made after the backup, so a new epoch invalidates their cursors. If the backup
      // predates epochs, later migrations create an epoch.
      if (tables.some(({ name, columns }) => name === 'accounts' && columns.includes('epoch'))) {
        await trx.updateTable('accounts').set({ epoch: sql`default` }).execute();
      }
      // Pause retention rules until users confirm them, because users may have changed or deleted rules after the
      // backup.
      if (tables.some(({ name }) => name === 'retention_rules')) {
        await trx.updateTable('retention_rules').set({ paused: 'restored' }).execute();
      }
      for (const { name, payload } of jobs) {
        await queue.enqueue(trx, name as JobName, payload as unknown as Jobs[JobName]);
      }
    });
  } finally {
    await db.destroy();
    await queue.stop();
  }
}

async function withClient(
  url: string,
  callback: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await callback(client);
  } finally {
    await client.end();
  }
}
