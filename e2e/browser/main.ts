/** The test page of `browser-adapters.spec.ts`, which runs the contract suites against the real browser adapters. */
import { openAudioFiles } from '@linnet/app/audio-files';
import { openLogBook } from '@linnet/app/log-book';
import { createPickedFolder } from '@linnet/app/vault-folder';
import {
  createStores,
  migrate,
  openWithReconnect,
  SCHEMA_VERSION,
  type SqlDatabase,
} from '@linnet/local-db';
import { openSqliteWasm } from '@linnet/local-db/sqlite-wasm';
import { sqlDatabaseContract } from '@linnet/local-db/testing';
import { type AudioStore, AudioStoreError } from '@linnet/sync';
import {
  audioStoreContract,
  changeStoreContract,
  fullAudioStoreContract,
  type SampleSession,
} from '@linnet/sync/testing';
import { type FolderUnderTest, vaultFolderContract } from '@linnet/vault/testing';

declare global {
  interface Window {
    /** Limits the page's remaining storage in bytes. Null removes the limit. Provided by the test. */
    limitStorage(bytes: number | null): Promise<void>;
    adapters: typeof adapters;
  }
}

type Case = () => Promise<void>;

function collect(declare: (test: (name: string, run: Case) => void) => void): Map<string, Case> {
  const cases = new Map<string, Case>();
  declare((name, run) => cases.set(name, run));
  return cases;
}

/** @param name folder of the database file pool */
const newWorker = (name = 'linnet') =>
  new Worker(new URL('./sql.worker.ts', import.meta.url), { type: 'module', name });
let worker: Worker | null = null;
const openSql = (file: string): Promise<SqlDatabase> => {
  worker ??= newWorker();
  return openSqliteWasm(worker, file);
};

let openStore: ReturnType<typeof openAudioFiles> | null = null;
async function openAudio(): Promise<AudioStore> {
  openStore?.close();
  openStore = openAudioFiles('linnet');
  return openStore;
}

async function fetchBytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await fetch(`/sample/${name}`)).arrayBuffer());
}

async function fetchSample(): Promise<SampleSession> {
  const facts = (await (await fetch('/sample/facts')).json()) as {
    chunkBytes: number;
    seconds: number;
  };
  const [packets, master, wave, peaks, garbage] = (await Promise.all(
    ['packets', 'master', 'wave', 'peaks', 'garbage'].map(fetchBytes),
  )) as [Bytes, Bytes, Bytes, Bytes, Bytes];
  return { packets, master, wave, peaks, garbage, ...facts };
}
type Bytes = Uint8Array<ArrayBuffer>;

/** Returns the sizes of a recording's audio files by their extensions. */
async function listFiles(id: string): Promise<Record<string, number>> {
  let folder = await navigator.storage.getDirectory();
  for (const name of ['linnet', 'audio']) folder = await folder.getDirectoryHandle(name);
  const sizes: Record<string, number> = {};
  for await (const [name, handle] of folder.entries()) {
    if (!name.startsWith(`${id}.`)) continue;
    sizes[name.slice(id.length + 1)] = (await (handle as FileSystemFileHandle).getFile()).size;
  }
  return sizes;
}

/** Creates an empty folder and returns its handle, like a folder picked by the user. */
async function createVaultFolder(): Promise<FolderUnderTest> {
  const root = await navigator.storage.getDirectory();
  const name = crypto.randomUUID();
  const handle = await root.getDirectoryHandle(name, { create: true });
  return {
    folder: createPickedFolder(handle),
    async edit(file, text) {
      const written = await (await handle.getFileHandle(file, { create: true })).createWritable();
      await written.write(text);
      await written.close();
    },
    async files() {
      const texts: Record<string, string> = {};
      for await (const [file, entry] of handle.entries()) {
        if (entry instanceof FileSystemFileHandle) {
          texts[file] = await (await entry.getFile()).text();
        }
      }
      return texts;
    },
    remove: () => root.removeEntry(name, { recursive: true }),
  };
}

const suites = {
  sql: collect((test) => sqlDatabaseContract({ test, open: () => openSql('/contract.sqlite3') })),
  changes: collect((test) =>
    changeStoreContract({
      test,
      open: async (now) => {
        // The suites share a database file, because the pool holds only a few files. Their tables don't conflict.
        const database = await openSql('/contract.sqlite3');
        await migrate(database);
        return createStores(database, now);
      },
    }),
  ),
  audio: collect((test) => audioStoreContract({ test, open: openAudio, sample: fetchSample })),
  vault: collect((test) =>
    vaultFolderContract({ test, create: createVaultFolder, isPicked: true }),
  ),
  full: collect((test) =>
    fullAudioStoreContract({
      test,
      open: openAudio,
      sample: fetchSample,
      limit: async (bytes) => {
        await window.limitStorage(bytes);
        return () => window.limitStorage(null);
      },
    }),
  ),
};

const adapters = {
  caseNames: (suite: keyof typeof suites) => [...suites[suite].keys()],

  runCase: async (suite: keyof typeof suites, name: string) => {
    const run = suites[suite].get(name);
    if (!run) throw new Error(`unknown case ${name}`);
    await run();
  },

  /** Uses a self-reconnecting database right after its connection was closed. */
  useAfterClose: async () => {
    const connections: SqlDatabase[] = [];
    const database = await openWithReconnect(async () => {
      const connection = await openSql('/reopen.sqlite3');
      connections.push(connection);
      return connection;
    });
    await database.batch([['create table t (n integer)'], ['insert into t values (0)']]);
    await connections[0]?.close();
    const code = await connections[0]?.query('select 1').then(
      () => 'none',
      (error: { code: string; number: number }) => `${error.code} ${error.number}`,
    );
    await Promise.all([1, 2].map((n) => database.batch([['insert into t values (?)', [n]]])));
    const rows = await database.query('select n from t order by n');
    await database.close();
    return { code, connections: connections.length, numbers: rows.map(({ n }) => n) };
  },

  /** Creates a database with the first schema version and one row, and leaves it open, like an abandoned page. */
  createFirstVersion: async () => {
    const database = await openSql('/history.sqlite3');
    await migrate(database, 1);
    await database.query(
      `insert into record (id, uid, create_date, update_date, title) values ('r', 'u', 'd', 'd', 'old')`,
    );
  },

  /** Migrates the first-version database to the current version, twice. */
  migrateToCurrentVersion: async () => {
    const database = await openSql('/history.sqlite3');
    const [before] = await database.query('pragma user_version');
    await migrate(database);
    await migrate(database);
    const [after] = await database.query('pragma user_version');
    const rows = await database.query('select * from record');
    await database.close();
    return { before: before?.user_version, after: after?.user_version, rows, SCHEMA_VERSION };
  },

  /** Writes until the storage is full, removes the limit, and writes again. */
  writeUntilFull: async () => {
    const database = await openSql('/room.sqlite3');
    await database.batch([
      ['create table t (n integer, d blob)'],
      ['insert into t values (0, null)'],
    ]);
    await window.limitStorage(0);
    const block = new Uint8Array(512 * 1024);
    let [writtenBlocks, code] = [0, 'none'];
    // Some writes may still fit, because the browser may have reserved space for open files.
    while (code === 'none' && writtenBlocks < 64) {
      code = await database
        .batch([
          ['update t set n = n + 1 where d is null'],
          ['insert into t values (-1, ?)', [block]],
        ])
        .then(
          () => 'none',
          (error: { code: string }) => error.code,
        );
      if (code === 'none') writtenBlocks += 1;
    }
    const count = async () => (await database.query('select max(n) as n, count(d) as d from t'))[0];
    const fullCount = await count();
    await window.limitStorage(null);
    await database.batch([['update t set n = n + 1 where d is null']]);
    const after = await count();
    await database.close();
    return { code, fitted: writtenBlocks, full: fullCount, after };
  },

  /** Returns the error code of a second connection while the database is open. */
  openTwice: async () => {
    const database = await openSql('/once.sqlite3');
    const secondWorker = newWorker();
    const code = await openSqliteWasm(secondWorker, '/once.sqlite3').then(
      () => 'none',
      (error: { code: string }) => error.code,
    );
    secondWorker.terminate();
    await database.close();
    return code;
  },

  /**
   * Retries opening a one-row database until it succeeds. The browser first fails to compile SQLite, and then to open
   * one of the pool's files.
   * @returns the error messages of the failed attempts, and the rows found by the successful attempt
   */
  openInFailingBrowser: async () => {
    const database = await openSql('/once.sqlite3');
    await database.batch([['create table kept (n integer)'], ['insert into kept values (1)']]);
    await database.close();
    worker?.terminate();
    worker = new Worker(new URL('./failing-sql.worker.ts', import.meta.url), {
      type: 'module',
      name: 'linnet',
    });
    const failures: string[] = [];
    let reopened: SqlDatabase | undefined;
    while (!reopened && failures.length < 3) {
      try {
        reopened = await openSql('/once.sqlite3');
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
    const rows = await reopened?.query('select n from kept');
    await reopened?.close();
    return { failures, rows };
  },

  /**
   * Terminates the worker while it creates the files of a new pool, then opens a database in that pool and writes to
   * it.
   */
  openAfterInterruptedCreation: async () => {
    worker?.terminate();
    const name = 'interrupted';
    const interrupted = new Worker(new URL('./interrupted-sql.worker.ts', import.meta.url), {
      type: 'module',
      name,
    });
    const reached = new Promise<void>((resolve) => {
      interrupted.addEventListener('message', ({ data }) => data === name && resolve());
    });
    void openSqliteWasm(interrupted, '/new.sqlite3');
    await reached;
    interrupted.terminate();
    const next = newWorker(name);
    const database = await openSqliteWasm(next, '/new.sqlite3');
    await database.batch([['create table t (n integer)'], ['insert into t values (1)']]);
    const rows = await database.query('select n from t');
    await database.close();
    next.terminate();
    worker = null;
    return rows;
  },

  /** Starts a statement that runs for several seconds. Uses an existing file, because the pool holds only a few. */
  startLongStatement: async () => {
    const database = await openSql('/once.sqlite3');
    void database.query(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000000)
       select count(*) from n`,
    );
  },

  /** Opens the database that the long statement is using, and reads from it. */
  openAfterLongStatement: async () => {
    const database = await openSql('/once.sqlite3');
    const rows = await database.query('select 1 as one');
    await database.close();
    return rows;
  },

  /** Returns the error code of a second audio store that opens a locked file. */
  openLockedAudio: async () => {
    const audio = await openAudio();
    await audio.openPackets('held', 1600);
    const secondStore = openAudioFiles('linnet');
    const code = await secondStore.openPackets('held', 1600).then(
      () => 'none',
      (error: unknown) => (error instanceof AudioStoreError ? error.code : String(error)),
    );
    secondStore.close();
    await audio.remove('held');
    return code;
  },

  /**
   * Receives a session except for its end, and then the rest, in another tab if `isHandedOver`.
   * @returns the session's files with their sizes, before and after it is finished
   */
  receiveAudio: async (isHandedOver: boolean) => {
    const id = isHandedOver ? 'moved' : 'early';
    const { packets, chunkBytes } = await fetchSample();
    const audio = await openAudio();
    const receive = async (store: AudioStore, end: number) => {
      const file = await store.openPackets(id, chunkBytes);
      for (let offset = file.bytes; offset < end; offset += chunkBytes) {
        await file.append(packets.slice(offset, Math.min(end, offset + chunkBytes)));
      }
      await file.close();
    };
    await receive(audio, packets.length - chunkBytes);
    const filesBefore = await listFiles(id);
    const secondStore = openAudioFiles('linnet');
    const receiver = isHandedOver ? secondStore : audio;
    await receive(receiver, packets.length);
    await receiver.finish(id);
    // The first tab must not touch a session that the second tab has finished.
    await audio.discardPackets(id);
    const filesAfter = await listFiles(id);
    secondStore.close();
    await audio.remove(id);
    return { before: filesBefore, after: filesAfter, removed: await listFiles(id) };
  },

  /**
   * Adds log lines that are eleven, nine and zero days old, and then adds four lines to a log limited to four.
   * @returns the remaining lines after each step
   */
  trimLog: async () => {
    const day = 24 * 60 * 60 * 1000;
    let now = 11 * day;
    const book = openLogBook({ name: 'log', maxLines: 4, now: () => now });
    await book.add([0, 2, 11].map((at) => ({ at: at * day, line: `day ${at}` })));
    const recent = await book.read();
    now += day;
    for (const n of [1, 2])
      await book.add([n, n].map((at) => ({ at: now + at, line: `more ${n}` })));
    // Read with a new instance, as after a reload.
    const reopened = await openLogBook({ name: 'log', maxLines: 4, now: () => now }).read();
    return [recent, reopened].map((lines) => lines.map(({ line }) => line));
  },
};
window.adapters = adapters;
