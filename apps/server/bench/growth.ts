import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { makeBackup } from '../src/backup/backup.ts';
import { type Database, migrate, openDatabase } from '../src/db/database.ts';
import { startPostgres } from '../src/embedded/postgres.ts';
import { createAccess } from '../src/modules/user/access.ts';
import { openLocalStore } from '../src/providers/storage/local.ts';
import { createPassageIndex } from '../src/retrieval/passage-index.ts';
import { loadKeys } from '../src/secrets.ts';
import { type JobSeconds, measureAccounts } from './growth/accounts.ts';
import { type Action, createActions, createClient } from './growth/calls.ts';
import { type Chart, drawChart } from './growth/chart.ts';
import {
  createLibrary,
  type GrowingLibrary,
  neighbors,
  paragraphsPerRecording,
} from './growth/library.ts';
import { processorSeconds } from './growth/usage.ts';
import type { Measurement } from './speech.ts';

/** The account sizes to measure, in recordings. `GROWTH_RECORDINGS` sets the largest. */
const steps = [1000, 3000, 10_000, 30_000, 100_000];
const defaultLargest = 10_000;
/** Number of measurements of each action, unless it takes too long. */
const rounds = 30;
/** Time after which an action isn't repeated, in milliseconds, and the minimum number of measurements. */
const budgetMs = 15_000;
const minRounds = 3;
/** Number of recordings that are added to measure the passage index. */
const indexedRecordings = 20;
/** The largest account that is backed up, because a backup takes longer than everything else. */
const largestBackup = 3000;
/** Settings for loading the data faster. Those that affect queries are PostgreSQL's defaults. */
const settings = {
  shared_preload_libraries: 'pg_stat_statements',
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  fsync: 'off',
  full_page_writes: 'off',
  // Statistics are updated and rows are vacuumed after each step instead.
  autovacuum: 'off',
};
const folder = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** The measurement of an action in an account of one size. Times in milliseconds. */
interface ActionMeasurement {
  readonly name: string;
  readonly recordings: number;
  readonly p50: number;
  readonly p95: number;
  readonly rounds: number;
  /** SQL statements per action, including those that begin and end transactions. */
  readonly statements: number;
  /** Processor time per action. */
  readonly apiMs: number;
  readonly databaseMs: number;
  /** Size of the response in bytes, uncompressed. */
  readonly bytes: number;
}

/** The size of a table with its indexes, per recording of the measured account, in bytes. */
type TableSizes = ReadonlyMap<string, { readonly table: number; readonly indexes: number }>;

/**
 * Measures the response times and the database size of a growing account on a server with other accounts. Draws the
 * measurements to docs/growth-calls.svg and docs/growth-database.svg, and prints them as tables.
 */
export async function run(): Promise<Measurement[]> {
  const largest = Number(process.env.GROWTH_RECORDINGS ?? defaultLargest);
  const sizes = steps.filter((size) => size <= largest);
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const postgres = await startPostgres({ dataDir, log: () => undefined, settings });
  const { db } = openDatabase(postgres.url, (error) => console.error(error));
  try {
    await migrate(db);
    await sql`create extension pg_stat_statements`.execute(db);
    const library = await createLibrary(db, postgres.url);
    progress('other accounts filled');
    const emptySizes = await readTableSizes(db);
    const measured: ActionMeasurement[] = [];
    const tables: { size: number; sizes: TableSizes }[] = [];
    const measurements: Measurement[] = [];
    for (const size of sizes) {
      const fillSeconds = await library.growTo(size);
      progress(`${size} recordings filled in ${Math.round(fillSeconds)} s`);
      tables.push({ size, sizes: subtract(await readTableSizes(db), emptySizes, size) });
      const deps = { db, dataDir, url: postgres.url, postgresPid: postgres.pid };
      for (const measurement of await measureActions(deps, library.accountId, size)) {
        measured.push(measurement);
        const { name, recordings, p50, ...detail } = measurement;
        measurements.push({
          name: `growth: ${name}, ${recordings} recordings, median`,
          ...{ value: p50, unit: 'ms', detail },
        });
      }
      measurements.push(await measureIndexing(deps, library, size));
      progress(`${size} recordings measured, load average ${loadavg()[0]?.toFixed(1)}`);
      if (size <= largestBackup) {
        measurements.push(await measureBackup(postgres.url, dataDir, size));
        progress('backed up');
      }
    }
    await draw(measured, tables);
    const jobs = await measureAccounts({ db, url: postgres.url, dataDir }, ({ accounts }) =>
      progress(`jobs measured with ${accounts} accounts`),
    );
    measurements.push(...jobs.flatMap(jobMeasurements));
    measurements.push(...tables.map(({ size, sizes: table }) => sizeMeasurement(size, table)));
    printTables(measured, tables, jobs);
    return measurements;
  } finally {
    await db.destroy();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const start = performance.now();
/** Reports progress on stderr, because stdout contains the measurements only. */
const progress = (text: string) =>
  console.error(`growth, ${Math.round((performance.now() - start) / 1000)} s: ${text}`);

interface MeasuredServer {
  readonly db: Database;
  readonly dataDir: string;
  readonly url: string;
  readonly postgresPid: number;
}

/** Measures all actions of an account in a separate API process. */
async function measureActions(
  { db, dataDir, url, postgresPid }: MeasuredServer,
  accountId: string,
  size: number,
): Promise<ActionMeasurement[]> {
  const child = fork(fileURLToPath(new URL('../src/api.ts', import.meta.url)), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: dataDir, PORT: '0', MODELS: 'off' },
  });
  const exited = once(child, 'exit');
  try {
    const [{ address }] = (await once(child, 'message')) as [{ address: string }];
    const sessionId = uuidv7();
    await db.insertInto('sessions').values({ id: sessionId, account_id: accountId }).execute();
    const keys = await loadKeys({ DATA_DIR: dataDir, SECRET: undefined });
    const token = createAccess(db, keys.accessToken, () => new Date()).sign(accountId, sessionId);
    const measured: ActionMeasurement[] = [];
    for (const action of await createActions(createClient(address, token), size)) {
      const processes = [child.pid ?? 0, postgresPid] as const;
      try {
        const result = await measureAction(db, action, size, processes);
        measured.push(result);
        progress(`${action.name}: ${result.p50} ms`);
      } catch (error) {
        // An action that takes longer than the server's limit fails.
        progress(`${action.name} failed: ${error}`);
      }
    }
    return measured;
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

async function measureAction(
  db: Database,
  action: Action,
  recordings: number,
  [apiPid, postgresPid]: readonly [number, number],
): Promise<ActionMeasurement> {
  // The first run compiles code and reads pages from the disk.
  await action.run(0);
  await sql`select pg_stat_statements_reset()`.execute(db);
  const secondsBefore = [
    await processorSeconds(apiPid),
    await processorSeconds(postgresPid),
  ] as const;
  const times: number[] = [];
  let bytes = 0;
  const startedAt = performance.now();
  while (times.length < rounds) {
    if (times.length >= minRounds && performance.now() - startedAt > budgetMs) break;
    const startOfRun = performance.now();
    bytes = await action.run(times.length + 1);
    times.push(performance.now() - startOfRun);
  }
  const secondsAfter = [
    await processorSeconds(apiPid),
    await processorSeconds(postgresPid),
  ] as const;
  const { rows } = await sql<{ calls: number }>`
    select sum(calls)::int as calls from pg_stat_statements join pg_database on pg_database.oid = dbid
    where datname = current_database() and query not like '%pg_stat_statements%' and query not like '%pgboss%'`.execute(
    db,
  );
  const count = times.length;
  const sorted = times.sort((a, b) => a - b);
  const milliseconds = (index: 0 | 1) =>
    round(((secondsAfter[index] - secondsBefore[index]) * 1000) / count);
  return {
    ...{ name: action.name, recordings, rounds: count, bytes },
    p50: round(sorted[Math.floor(count / 2)] ?? 0),
    p95: round(sorted[Math.min(count - 1, Math.floor(count * 0.95))] ?? 0),
    statements: round((rows[0]?.calls ?? 0) / count),
    ...{ apiMs: milliseconds(0), databaseMs: milliseconds(1) },
  };
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Returns the sizes of all tables with rows, in bytes. */
async function readTableSizes(db: Database): Promise<TableSizes> {
  const { rows } = await sql<{ name: string; table: number; indexes: number }>`
    select relname::text as name, pg_table_size(oid) as table, pg_indexes_size(oid) as indexes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(db);
  return new Map(rows.map(({ name, ...sizes }) => [name, sizes]));
}

/** Returns the bytes per recording added to each table, largest first. Omits tables with less than one byte. */
function subtract(now: TableSizes, before: TableSizes, recordings: number): TableSizes {
  const entries = [...now].map(([name, { table, indexes }]) => {
    const { table: tableBefore = 0, indexes: indexesBefore = 0 } = before.get(name) ?? {};
    const perRecording = (bytes: number) => Math.round(bytes / recordings);
    return [
      name,
      { table: perRecording(table - tableBefore), indexes: perRecording(indexes - indexesBefore) },
    ] as const;
  });
  const total = ({ table, indexes }: { table: number; indexes: number }) => table + indexes;
  return new Map(
    entries.filter(([, size]) => total(size) > 0).sort(([, a], [, b]) => total(b) - total(a)),
  );
}

/** Measures the processor time of adding a new transcript to the passage index. */
async function measureIndexing(
  { db, postgresPid }: MeasuredServer,
  library: GrowingLibrary,
  size: number,
): Promise<Measurement> {
  await library.addUnindexed(indexedRecordings);
  const [before, databaseBefore] = [process.cpuUsage(), await processorSeconds(postgresPid)];
  const startedAt = performance.now();
  await createPassageIndex(db).update(library.accountId, Number.POSITIVE_INFINITY);
  const perRecording = (milliseconds: number) => round(milliseconds / indexedRecordings);
  const { user, system } = process.cpuUsage(before);
  return {
    name: `growth: indexing of a transcript, ${size} recordings`,
    value: perRecording(performance.now() - startedAt),
    unit: 'ms',
    detail: {
      workerMs: perRecording((user + system) / 1000),
      databaseMs: perRecording(((await processorSeconds(postgresPid)) - databaseBefore) * 1000),
    },
  };
}

/** Measures a backup of the database. The store is empty. */
async function measureBackup(url: string, dataDir: string, size: number): Promise<Measurement> {
  const target = await mkdtemp(join(tmpdir(), 'linnet-backup-'));
  try {
    const startedAt = performance.now();
    const config = { DATA_DIR: dataDir, SECRET: undefined, version: '0' };
    const store = await openLocalStore(dataDir);
    const { manifest } = await makeBackup({ config, url, store, now: () => new Date() }, target);
    const seconds = (performance.now() - startedAt) / 1000;
    const bytes = manifest.tables.reduce((sum, table) => sum + table.bytes, 0);
    const detail = { bytes, megabytesPerSecond: round(bytes / 1e6 / seconds) };
    return { name: `growth: backup, ${size} recordings`, value: round(seconds), unit: 's', detail };
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

function sizeMeasurement(size: number, sizes: TableSizes): Measurement {
  const entries = [...sizes].map(([name, { table, indexes }]) => [name, table + indexes] as const);
  return {
    name: `growth: database per recording, ${size} recordings`,
    value: entries.reduce((sum, [, bytes]) => sum + bytes, 0),
    unit: 'bytes',
    detail: Object.fromEntries(entries),
  };
}

const jobMeasurements = ({ accounts, changed, housekeeping }: JobSeconds): Measurement[] => [
  { name: `growth: search for changed accounts, ${accounts}`, value: changed, unit: 's' },
  { name: `growth: housekeeping, ${accounts} accounts`, value: housekeeping, unit: 's' },
];

/** Draws the charts in docs. */
async function draw(
  measured: readonly ActionMeasurement[],
  tables: readonly { size: number; sizes: TableSizes }[],
): Promise<void> {
  const count = new Intl.NumberFormat('en');
  const names = [...new Set(measured.map(({ name }) => name))];
  const xAxis = { xLabel: 'recordings of the account', formatX: count.format };
  const calls: Chart = {
    ...{ ...xAxis, title: 'Response times of a growing account', yLabel: 'median, milliseconds' },
    description: `Median response times by the number of recordings, with ${paragraphsPerRecording} paragraphs per recording.`,
    formatY: count.format,
    lines: names.map((name) => ({
      name,
      points: measured
        .filter((each) => each.name === name)
        .map(({ recordings, p50 }) => ({ x: recordings, y: Math.max(p50, 0.1) })),
    })),
  };
  const last = tables.at(-1)?.sizes ?? new Map();
  const database: Chart = {
    ...{ ...xAxis, title: 'Database of a growing account', yLabel: 'tables with their indexes' },
    description: 'Size of the largest tables by the number of recordings.',
    formatY: (megabytes) =>
      megabytes < 1000 ? `${count.format(megabytes)} MB` : `${count.format(megabytes / 1000)} GB`,
    lines: [...last.keys()].slice(0, 7).map((name) => ({
      name,
      points: tables.map(({ size, sizes }) => {
        const { table = 0, indexes = 0 } = sizes.get(name) ?? {};
        return { x: size, y: Math.max(((table + indexes) * size) / 1e6, 0.01) };
      }),
    })),
  };
  await writeFile(join(folder, 'growth-calls.svg'), drawChart(calls));
  await writeFile(join(folder, 'growth-database.svg'), drawChart(database));
}

/** Prints the measurements as Markdown tables on stderr. */
function printTables(
  measured: readonly ActionMeasurement[],
  tables: readonly { size: number; sizes: TableSizes }[],
  jobs: readonly JobSeconds[],
): void {
  const printRow = (...cells: readonly unknown[]) => console.error(`| ${cells.join(' | ')} |`);
  const sizes = tables.map(({ size }) => size);
  const { accounts, recordingsPerAccount } = neighbors;
  console.error(
    `\nBesides the measured account: ${accounts * recordingsPerAccount} recordings in ${accounts} accounts; load average ${loadavg()[0]?.toFixed(1)}\n`,
  );
  printRow('p50 / p95, ms', ...sizes, 'statements', 'API, CPU ms', 'database, CPU ms', 'bytes');
  for (const name of new Set(measured.map((each) => each.name))) {
    const rows = measured.filter((each) => each.name === name);
    const { statements, apiMs, databaseMs, bytes } = rows.at(-1) ?? {};
    const times = sizes.map((size) => {
      const row = rows.find(({ recordings }) => recordings === size);
      return row ? `${row.p50} / ${row.p95}` : 'failed';
    });
    printRow(name, ...times, statements, apiMs, databaseMs, bytes);
  }
  const { size, sizes: last } = tables.at(-1) ?? { size: 0, sizes: new Map() };
  console.error(`\nBytes per recording, ${size} recordings\n`);
  printRow('table', 'rows', 'indexes');
  for (const [name, { table, indexes }] of last) printRow(name, table, indexes);
  console.error('');
  printRow('accounts', 'search for changed accounts, s', 'housekeeping, s');
  for (const { accounts, changed, housekeeping } of jobs) {
    printRow(accounts, changed.toFixed(3), housekeeping.toFixed(2));
  }
}
