import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import {
  chmod,
  chown,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ensureDataDir } from '../data-dir.ts';
import type { Binaries } from './binaries.ts';
import { installedBinaries } from './binaries.ts';
import { PostgresFailure } from './failure.ts';
import type { Identity, IdentityKind } from './identity.ts';
import { asIdentity, chooseIdentity, giveTo } from './identity.ts';

export interface EmbeddedPostgres {
  /** `postgres://…` of the product's database, password included. */
  readonly url: string;
  readonly pid: number;
  /** How it came up: a server left behind by a killed start is taken over as it is. */
  readonly how: 'started' | 'adopted';
  readonly identity: IdentityKind;
  /** Fast shutdown: open transactions roll back, everything acknowledged is on disk. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: (message: string) => void;
  /** For tests: run under this identity alone. */
  readonly identity?: IdentityKind;
}

const user = 'linnet';
const database = 'linnet';
/** Crash recovery of a large write-ahead log takes time; an orphan shutting down takes less. */
const startTimeoutMs = 120_000;
const stopTimeoutMs = 30_000;
const pollMs = 50;
/** The server's log is started afresh beyond this. */
const logBytes = 8 * 1024 * 1024;

/**
 * Starts PostgreSQL on DATA_DIR/postgres, or adopts the one that already runs there.
 * It listens on a free port of 127.0.0.1 and asks for a password (scram) that lies in DATA_DIR, 0600.
 * It is its own session, so that Ctrl-C reaches it only through stop().
 * @throws PostgresFailure
 */
export async function startPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = path.join(await ensureDataDir(options.dataDir), 'postgres');
  await mkdir(home, { recursive: true });
  // Others pass through to the cluster below, which is its owner's alone.
  await chmod(home, 0o711);
  const { identity, binaries } = await chooseIdentity(
    home,
    await installedBinaries(),
    options.identity,
  );
  const password = await ensurePassword(path.join(home, 'password'));
  const cluster = path.join(home, 'cluster');
  await checkMajor(cluster, binaries);
  const ready = (port: number, pid: number, how: 'started' | 'adopted'): EmbeddedPostgres => {
    options.log(`PostgreSQL ${binaries.version} ${how} on port ${port} (pid ${pid})`);
    return {
      url: `postgres://${user}:${password}@127.0.0.1:${port}/${database}`,
      pid,
      how,
      identity: identity.kind,
      stop: () => stop(pid, cluster),
    };
  };

  if (!(await exists(path.join(cluster, 'global', 'pg_control')))) {
    options.log('Making a new database');
    await initialise(cluster, password, identity, binaries);
  }

  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    const running = await readPidFile(cluster);
    if (running && (await isPostgres(running.pid))) {
      // Alive: ours to adopt, or on its way up or down.
      if (await serves(running.port, password, cluster)) {
        await ensureDatabase(running.port, password);
        return ready(running.port, running.pid, 'adopted');
      }
      await delay(pollMs);
      continue;
    }
    if (running) await rm(path.join(cluster, 'postmaster.pid'), { force: true });
    // Only now: a living server would lose its files.
    await giveTo(identity, cluster);
    const started = await launch(cluster, home, password, identity, binaries, deadline);
    if (started) {
      await ensureDatabase(started.port, password);
      return ready(started.port, started.pid, 'started');
    }
    // A killed server's children may hold its memory for a moment longer.
    await delay(500);
  }
  throw new PostgresFailure(
    'start-failed',
    `PostgreSQL does not start. The end of its log:\n${await logTail(home)}`,
  );
}

async function launch(
  cluster: string,
  home: string,
  password: string,
  identity: Identity,
  binaries: Binaries,
  deadline: number,
): Promise<{ port: number; pid: number } | null> {
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = asIdentity(identity, binaries.postgres, [
    '-D',
    cluster,
    ...flags,
  ]);
  const log = openSync(await logFile(home), 'a', 0o600);
  const child = spawn(file, args, {
    ...options,
    cwd: '/',
    // Its own session: the terminal's Ctrl-C must not end it under the processes that use it.
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' },
  });
  let exited = false;
  child.once('exit', () => {
    exited = true;
  });
  child.once('error', () => {
    exited = true;
  });
  child.unref();
  while (!exited && Date.now() < deadline) {
    if (child.pid !== undefined && (await serves(port, password, cluster))) {
      return { port, pid: child.pid };
    }
    await delay(pollMs);
  }
  return null;
}

/** Makes the cluster beside its place and moves it there: a killed initdb leaves nothing half done. */
async function initialise(
  cluster: string,
  password: string,
  identity: Identity,
  binaries: Binaries,
): Promise<void> {
  const partial = `${cluster}.partial`;
  const passwordFile = `${cluster}.pwfile`;
  await rm(partial, { recursive: true, force: true });
  await rm(cluster, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveTo(identity, partial);
  if (identity.kind === 'setuid' || identity.kind === 'setpriv') {
    await chown(passwordFile, identity.uid, identity.gid);
  }
  const { file, args, options } = asIdentity(identity, binaries.initdb, [
    `--pgdata=${partial}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // The system's locales differ from host to host; the builtin one folds case in all scripts.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  const child = spawn(file, args, {
    ...options,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' },
  });
  let words = '';
  const keep = (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-4000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const [exitCode] = await once(child, 'close');
  await rm(passwordFile, { force: true });
  if (exitCode !== 0) {
    throw new PostgresFailure('init-failed', `PostgreSQL could not make its files:\n${words}`);
  }
  await rename(partial, cluster);
}

async function stop(pid: number, cluster: string): Promise<void> {
  // SIGINT is the fast shutdown, SIGQUIT the immediate one (recovery at the next start).
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isPostgres(pid))) return;
    process.kill(pid, signal);
    const deadline = Date.now() + stopTimeoutMs;
    while (Date.now() < deadline) {
      if (!(await isPostgres(pid))) return;
      await delay(pollMs);
    }
  }
  throw new PostgresFailure('stop-failed', `PostgreSQL (pid ${pid}) in ${cluster} does not stop`);
}

/** Whether a server on this port takes our password and serves this very folder. */
async function serves(port: number, password: string, cluster: string): Promise<boolean> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user,
    password,
    database: 'postgres',
    connectionTimeoutMillis: 2000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('show data_directory');
    return path.resolve(rows[0].data_directory) === (await realpath(cluster));
  } catch {
    // Not up yet, going down, or somebody else's: all of them are "no".
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'postgres' });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`create database ${database}`);
  } finally {
    await client.end();
  }
}

async function checkMajor(cluster: string, binaries: Binaries): Promise<void> {
  const file = path.join(cluster, 'PG_VERSION');
  if (!(await exists(file))) return;
  const major = (await readFile(file, 'utf8')).trim();
  if (major === binaries.major) return;
  throw new PostgresFailure(
    'other-major',
    `the database in DATA_DIR was written by PostgreSQL ${major}, this version brings ${binaries.major}: move it over as the operating guide shows (dump with the old version, load with the new)`,
  );
}

async function readPidFile(cluster: string): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
  if (text === null) return null;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/** Whether a process is alive and is PostgreSQL: the number may have gone to somebody else. */
async function isPostgres(pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // Without /proc, being alive has to do.
  if (status === null) return process.platform !== 'linux';
  return status.includes('(postgres)') && !status.includes(') Z ');
}

async function ensurePassword(file: string): Promise<string> {
  const fresh = randomBytes(24).toString('hex');
  try {
    await writeFile(file, fresh, { mode: 0o600, flag: 'wx' });
    return fresh;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readFile(file, 'utf8')).trim();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function logFile(home: string): Promise<string> {
  const file = path.join(home, 'server.log');
  const size = (await exists(file)) ? (await stat(file)).size : 0;
  if (size > logBytes) await rename(file, `${file}.old`);
  return file;
}

async function logTail(home: string): Promise<string> {
  const text = await readFile(path.join(home, 'server.log'), 'utf8');
  return text.split('\n').slice(-12).join('\n');
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
