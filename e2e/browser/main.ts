/** A page for the tests of the browser's adapters: the real ones, driven from outside. */
import { openAudioFiles } from '@linnet/app/audio-files';
import { openLogBook } from '@linnet/app/log-book';
import {
  createStores,
  migrate,
  openReopening,
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

declare global {
  interface Window {
    /** Held by the test: how many bytes more the browser takes for this page; null is no limit. */
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

const newWorker = () => new Worker(new URL('./sql.worker.ts', import.meta.url), { type: 'module' });
let worker: Worker | null = null;
const openSql = (file: string): Promise<SqlDatabase> => {
  worker ??= newWorker();
  return openSqliteWasm(worker, file);
};

let openStore: ReturnType<typeof openAudioFiles> | null = null;
async function openAudio(): Promise<AudioStore> {
  openStore?.close();
  openStore = openAudioFiles();
  return openStore;
}

async function bytesAt(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await fetch(`/sample/${name}`)).arrayBuffer());
}

async function sample(): Promise<SampleSession> {
  const facts = (await (await fetch('/sample/facts')).json()) as {
    chunkBytes: number;
    seconds: number;
  };
  const [packets, master, wave, peaks, garbage] = (await Promise.all(
    ['packets', 'master', 'wave', 'peaks', 'garbage'].map(bytesAt),
  )) as [Bytes, Bytes, Bytes, Bytes, Bytes];
  return { packets, master, wave, peaks, garbage, ...facts };
}
type Bytes = Uint8Array<ArrayBuffer>;

const suites = {
  sql: collect((test) => sqlDatabaseContract({ test, open: () => openSql('/contract.sqlite3') })),
  changes: collect((test) =>
    changeStoreContract({
      test,
      open: async (now) => {
        // The pool has room for few files; the tables of that suite are not in the way of these.
        const database = await openSql('/contract.sqlite3');
        await migrate(database);
        return createStores(database, now);
      },
    }),
  ),
  audio: collect((test) => audioStoreContract({ test, open: openAudio, sample })),
  full: collect((test) =>
    fullAudioStoreContract({
      test,
      open: openAudio,
      sample,
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
    if (!run) throw new Error(`no case ${name}`);
    await run();
  },

  /** Closes the connection behind the back of one that reopens, in the worker, and uses it at once. */
  useAfterItClosed: async () => {
    const opened: SqlDatabase[] = [];
    const database = await openReopening(async () => {
      const fresh = await openSql('/reopen.sqlite3');
      opened.push(fresh);
      return fresh;
    });
    await database.batch([['create table t (n integer)'], ['insert into t values (0)']]);
    await opened[0]?.close();
    const code = await opened[0]?.query('select 1').then(
      () => 'none',
      (error: { code: string; number: number }) => `${error.code} ${error.number}`,
    );
    await Promise.all([1, 2].map((n) => database.batch([['insert into t values (?)', [n]]])));
    const rows = await database.query('select n from t order by n');
    await database.close();
    return { code, connections: opened.length, numbers: rows.map(({ n }) => n) };
  },

  /** Leaves a database of the first version, with a row, open as a page that goes away does. */
  leaveFirstVersion: async () => {
    const database = await openSql('/history.sqlite3');
    await migrate(database, 1);
    await database.query(
      `insert into record (id, uid, create_date, update_date, title) values ('r', 'u', 'd', 'd', 'old')`,
    );
  },

  /** Brings it up to date, twice. */
  migrateToNow: async () => {
    const database = await openSql('/history.sqlite3');
    const [before] = await database.query('pragma user_version');
    await migrate(database);
    await migrate(database);
    const [after] = await database.query('pragma user_version');
    const rows = await database.query('select * from record');
    await database.close();
    return { before: before?.user_version, after: after?.user_version, rows, SCHEMA_VERSION };
  },

  /** Writes until the browser takes no more, and goes on when it does again. */
  writeWithoutRoom: async () => {
    const database = await openSql('/room.sqlite3');
    await database.batch([
      ['create table t (n integer, d blob)'],
      ['insert into t values (0, null)'],
    ]);
    await window.limitStorage(0);
    const block = new Uint8Array(512 * 1024);
    let [fitted, code] = [0, 'none'];
    // The browser may have set room aside for files that are open: some more may fit.
    while (code === 'none' && fitted < 64) {
      code = await database
        .batch([
          ['update t set n = n + 1 where d is null'],
          ['insert into t values (-1, ?)', [block]],
        ])
        .then(
          () => 'none',
          (error: { code: string }) => error.code,
        );
      if (code === 'none') fitted += 1;
    }
    const count = async () => (await database.query('select max(n) as n, count(d) as d from t'))[0];
    const full = await count();
    await window.limitStorage(null);
    await database.batch([['update t set n = n + 1 where d is null']]);
    const after = await count();
    await database.close();
    return { code, fitted, full, after };
  },

  /** What a second page is told while this one has the database open. */
  openTwice: async () => {
    const database = await openSql('/once.sqlite3');
    const second = newWorker();
    const code = await openSqliteWasm(second, '/once.sqlite3').then(
      () => 'none',
      (error: { code: string }) => error.code,
    );
    second.terminate();
    await database.close();
    return code;
  },

  /** Leaves a database at work for some seconds. The pool has room for a few: one that there is already. */
  startLongStatement: async () => {
    const database = await openSql('/once.sqlite3');
    void database.query(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000000)
       select count(*) from n`,
    );
  },

  /** Opens the same database and reads from it. */
  openAfterwards: async () => {
    const database = await openSql('/once.sqlite3');
    const rows = await database.query('select 1 as one');
    await database.close();
    return rows;
  },

  /** The code of an audio store that is told to write to a file that another one holds. */
  appendWhileHeld: async () => {
    const audio = await openAudio();
    await audio.openPackets('held', 1600);
    const other = openAudioFiles();
    const code = await other.openPackets('held', 1600).then(
      () => 'none',
      (error: unknown) => (error instanceof AudioStoreError ? error.code : String(error)),
    );
    other.close();
    await audio.remove('held');
    return code;
  },

  /** What a log still has of lines of eleven, nine and no days ago, and of four more where four have room. */
  keepLog: async () => {
    const day = 24 * 60 * 60 * 1000;
    let now = 11 * day;
    const book = openLogBook({ name: 'log', mostLines: 4, now: () => now });
    await book.add([0, 2, 11].map((at) => ({ at: at * day, line: `day ${at}` })));
    const recent = await book.read();
    now += day;
    for (const n of [1, 2])
      await book.add([n, n].map((at) => ({ at: now + at, line: `more ${n}` })));
    // As the next page finds it.
    const kept = await openLogBook({ name: 'log', mostLines: 4, now: () => now }).read();
    return [recent, kept].map((lines) => lines.map(({ line }) => line));
  },
};
window.adapters = adapters;
