/**
 * Runs the embedded PostgreSQL server, for installations without their own database. Several processes can share the
 * server: the first one starts it, and the others connect to it.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
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
import { chooseIdentity, chownTree, commandAs } from './identity.ts';

export interface EmbeddedPostgres {
  /** `postgres://…` URL of the database, including the password. It stays the same until stop(). */
  readonly url: string;
  /** Process ID of the current server. It changes after a crash. */
  readonly pid: number;
  /** Whether this process started the server, or adopted a running server. */
  readonly startMode: 'started' | 'adopted';
  readonly identity: IdentityKind;
  /** Performs a fast shutdown: open transactions are rolled back, and committed data is on disk. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: (message: string) => void;
  /** Restricts the identity, for tests. */
  readonly identity?: IdentityKind;
  /** Replaces the installed binaries, for tests. */
  readonly binaries?: Binaries;
  /** Further settings of the server (`postgres -c`), for tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

const user = 'linnet';
const database = 'linnet';
/** Startup timeout in milliseconds, long enough for crash recovery from a large write-ahead log. */
const startTimeoutMs = 120_000;
const stopTimeoutMs = 30_000;
const pollMs = 50;
/** Maximum size of the server log in bytes. A larger log is rotated. */
const logBytes = 8 * 1024 * 1024;

/** Interval of checking that the server is alive, in milliseconds. */
const watchMs = 500;

/** A database cluster, with everything needed to run a server on it. */
interface Cluster {
  readonly folder: string;
  readonly home: string;
  readonly password: string;
  readonly identity: Identity;
  readonly binaries: Binaries;
  readonly settings: Readonly<Record<string, string>>;
}

interface RunningServer {
  readonly pid: number;
  readonly port: number;
  readonly startMode: 'started' | 'adopted';
}

/**
 * Starts PostgreSQL on DATA_DIR/postgres, or adopts the server that is already running there, and restarts it on the
 * same port if it dies. It listens on a free port of 127.0.0.1 and requires a password (scram), which is stored in
 * DATA_DIR with mode 0600. It runs in its own session, so Ctrl-C doesn't kill it; only stop() does.
 * @throws PostgresFailure
 */
export async function startPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  const home = path.join(await ensureDataDir(options.dataDir), 'postgres');
  await mkdir(home, { recursive: true });
  // Other users may traverse this folder, but only the owner may enter the cluster inside it.
  await chmod(home, 0o711);
  const binaries = options.binaries ?? (await installedBinaries());
  const chosen = await chooseIdentity(home, binaries, options.identity);
  const cluster: Cluster = {
    ...chosen,
    home,
    folder: path.join(home, 'cluster'),
    password: await ensurePassword(path.join(home, 'password')),
    settings: options.settings ?? {},
  };
  await checkMajor(cluster.folder, cluster.binaries);
  if (!(await exists(path.join(cluster.folder, 'global', 'pg_control')))) {
    log('Creating a new database');
    await initialize(cluster);
  }
  let running = await ensureRunning(cluster, null);
  await ensureDatabase(running.port, cluster.password);
  const { startMode } = running;
  log(
    `PostgreSQL ${cluster.binaries.version} ${startMode}, port ${running.port}, pid ${running.pid}`,
  );

  const stopping = new AbortController();
  const watching = restartIfDead();
  async function restartIfDead(): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(watchMs, undefined, { ref: false, signal: stopping.signal }).catch(
        () => undefined,
      );
      if (stopping.signal.aborted || (await isPostgres(running.pid))) continue;
      log('PostgreSQL died; restarting it');
      try {
        running = await ensureRunning(cluster, running.port);
        log(`PostgreSQL restarted, pid ${running.pid}`);
      } catch (error) {
        if (!(error instanceof PostgresFailure)) throw error;
        log(error.message);
      }
    }
  }

  return {
    url: `postgres://${user}:${cluster.password}@127.0.0.1:${running.port}/${database}`,
    startMode,
    identity: cluster.identity.kind,
    get pid() {
      return running.pid;
    },
    async stop() {
      stopping.abort();
      await watching;
      await shutDown(running.pid, cluster.folder);
    },
  };
}

/**
 * Adopts the cluster's running server, or else starts a server.
 * @param port port to listen on, or null for any free port
 */
async function ensureRunning(cluster: Cluster, port: number | null): Promise<RunningServer> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    const pidFileEntry = await readPidFile(cluster.folder);
    if (pidFileEntry && (await isPostgres(pidFileEntry.pid))) {
      // A server process is alive. Adopt it if it accepts connections. Otherwise, it is still starting or stopping.
      if (await isServing(pidFileEntry.port, cluster))
        return { ...pidFileEntry, startMode: 'adopted' };
      await delay(pollMs);
      continue;
    }
    if (pidFileEntry) await rm(path.join(cluster.folder, 'postmaster.pid'), { force: true });
    // Don't change the owner earlier, because a running server would lose access to its files.
    await chownTree(cluster.identity, cluster.folder);
    const started = await launch(cluster, port ?? (await freePort()), deadline);
    if (started) return started;
    // The children of a killed server may briefly hold its shared memory.
    await delay(watchMs);
  }
  throw new PostgresFailure(
    'start-failed',
    `PostgreSQL doesn't start. The end of its log:\n${await logTail(cluster.home)}`,
  );
}

/** Starts a server. Returns null if it exits before it accepts connections. */
async function launch(
  cluster: Cluster,
  port: number,
  deadline: number,
): Promise<RunningServer | null> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    ...cluster.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = commandAs(cluster.identity, cluster.binaries.postgres, [
    '-D',
    cluster.folder,
    ...flags,
  ]);
  const log = openSync(await logFile(cluster.home), 'a', 0o600);
  const child = spawn(file, args, {
    ...options,
    cwd: '/',
    // Run it in its own session. Otherwise, Ctrl-C in the terminal would stop it before the processes that use it.
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' },
  });
  closeSync(log);
  let hasExited = false;
  const onEnd = () => {
    hasExited = true;
  };
  child.once('exit', onEnd);
  child.once('error', onEnd);
  child.unref();
  while (!hasExited && Date.now() < deadline) {
    if (child.pid !== undefined && (await isServing(port, cluster))) {
      return { pid: child.pid, port, startMode: 'started' };
    }
    await delay(pollMs);
  }
  return null;
}

/**
 * Creates the cluster in a temporary folder and renames it when complete, so a killed initdb leaves no partial cluster.
 */
async function initialize({ folder, password, identity, binaries }: Cluster): Promise<void> {
  const partialFolder = `${folder}.partial`;
  const passwordFile = `${folder}.pwfile`;
  await rm(partialFolder, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(partialFolder, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  await chownTree(identity, partialFolder);
  if (identity.kind === 'setuid' || identity.kind === 'setpriv') {
    await chown(passwordFile, identity.uid, identity.gid);
  }
  const { file, args, options } = commandAs(identity, binaries.initdb, [
    `--pgdata=${partialFolder}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // System locales differ between hosts, whereas the builtin locale folds case in all scripts.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  const child = spawn(file, args, {
    ...options,
    cwd: '/',
    // Run it in its own session, so signals to the process group don't interrupt it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' },
  });
  let output = '';
  const append = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000);
  };
  child.stdout.on('data', append);
  child.stderr.on('data', append);
  const [exitCode] = await once(child, 'close');
  await rm(passwordFile, { force: true });
  if (exitCode !== 0) {
    throw new PostgresFailure('init-failed', `initdb failed:\n${output}`);
  }
  await rename(partialFolder, folder);
}

async function shutDown(pid: number, folder: string): Promise<void> {
  // SIGINT requests a fast shutdown, and SIGQUIT an immediate one (with recovery at the next start).
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isPostgres(pid))) return;
    process.kill(pid, signal);
    const deadline = Date.now() + stopTimeoutMs;
    while (Date.now() < deadline) {
      if (!(await isPostgres(pid))) return;
      await delay(pollMs);
    }
  }
  throw new PostgresFailure('stop-failed', `PostgreSQL (pid ${pid}) in ${folder} doesn't stop`);
}

/** Returns whether a server on this port accepts the cluster's password and serves its folder. */
async function isServing(port: number, { password, folder }: Cluster): Promise<boolean> {
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
    return path.resolve(rows[0].data_directory) === (await realpath(folder));
  } catch {
    // The server is starting or stopping, or it isn't the cluster's.
    return false;
  } finally {
    // Ignore errors, because a stopping server may already have closed the connection.
    await client.end().catch(() => undefined);
  }
}

async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'postgres' });
  await client.connect();
  try {
    const existing = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (existing.rowCount === 0) await client.query(`create database ${database}`);
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
    `the database in DATA_DIR was written by PostgreSQL ${major}, this version includes ${binaries.major}: make a backup with the old version and restore it with this one (docs/operating.md)`,
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

/** Returns whether a process is alive and is PostgreSQL. The ID may have been reused by another process. */
async function isPostgres(pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // The file exists only on Linux, and the process may exit between the two checks.
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // Without /proc, assume that a live process is PostgreSQL.
  if (status === null) return process.platform !== 'linux';
  return status.includes('(postgres)') && !status.includes(') Z ');
}

async function ensurePassword(file: string): Promise<string> {
  const newPassword = randomBytes(24).toString('hex');
  try {
    await writeFile(file, newPassword, { mode: 0o600, flag: 'wx' });
    return newPassword;
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
