/**
 * Runs Linnet on a single machine: embedded PostgreSQL, the API, the worker and virtual recorders, each in a separate
 * process. Restarts processes that exit. SIGTERM, Ctrl-C or closing the terminal stops all processes, the database
 * last.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Config,
  ConfigFailure,
  exposureWarnings,
  readConfig,
} from '../apps/server/src/config/index.ts';
import { ensureDataDir } from '../apps/server/src/data-dir.ts';
import { openDatabase } from '../apps/server/src/db/database.ts';
import { startPostgres } from '../apps/server/src/embedded/postgres.ts';
import { registerDevices } from '../apps/server/src/modules/device/service.ts';
import { getPublicKey, signingKey } from '../apps/server/src/modules/firmware/signing.ts';
import { outboxAddress } from '../apps/server/src/plugins/outbox.ts';
import { readTls } from '../apps/server/src/tls.ts';
import { rotateLog } from './log-rotation.ts';
import { checkPort, claimDataDir, StartFailure } from './preflight.ts';
import { enginesDir } from './project.mjs';

const projectRoot = join(import.meta.dirname, '..');

/** Delay before a service is restarted, in milliseconds. Prevents a tight restart loop. */
const RESTART_MS = 1000;
/** Timeout for a service to shut down before it's killed, in milliseconds. */
const STOP_MS = 20_000;
/** Interval of checking the size of logs, in milliseconds. */
const ROTATION_MS = 60_000;
/** Polling interval while waiting for a service, in milliseconds. */
const POLL_MS = 50;

/** A supervised process. `file` is the base name of its log and pid file in DATA_DIR/run. */
type Service = { readonly name: string; readonly file: string; readonly script: string };

const services = {
  api: { name: 'API', file: 'api', script: 'apps/server/src/api.ts' },
  worker: { name: 'worker', file: 'worker', script: 'apps/server/src/worker.ts' },
  recorder: {
    name: 'virtual recorder',
    file: 'recorder',
    script: 'apps/virtual-recorder/src/main.ts',
  },
} as const satisfies Record<string, Service>;

/** A message from a service: that it is ready, or a sentence for the operator. */
type ServiceMessage = { readonly ready: true } | { readonly notice: string };

const stopping = new AbortController();

/** Collects the services' notices for the operator, and prints them once Linnet is ready. */
const notices = createNotices();

function createNotices() {
  let earlyNotices: string[] | null = [];
  const show = (notice: string) => console.log(notice);
  return {
    add(notice: string) {
      if (earlyNotices) earlyNotices.push(notice);
      else show(notice);
    },
    open() {
      earlyNotices?.forEach(show);
      earlyNotices = null;
    },
  };
}

/**
 * Runs a service and keeps restarting it until the supervisor stops. Resolves once the service has exited.
 * @param onReady called when the service reports that it's ready
 */
async function superviseService(
  { name, file, script }: Service,
  runDir: string,
  env: NodeJS.ProcessEnv,
  onReady: () => void = () => {},
): Promise<void> {
  const log = join(runDir, `${file}.log`);
  const pidFile = join(runDir, `${file}.pid`);
  while (!stopping.signal.aborted) {
    const output = openSync(log, 'a', 0o600);
    const child = spawn(process.execPath, [join(projectRoot, script)], {
      cwd: projectRoot,
      env,
      // In a separate process group, the service receives Ctrl-C only from the supervisor, in the right order. If the
      // supervisor is killed, the IPC channel closes, so the service exits and frees its port.
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    const rotation = setInterval(() => {
      try {
        rotateLog(log);
      } catch (error) {
        // For example because the disk is full. The service goes on, and the rotation is tried again.
        console.error(`Cannot rotate ${log}: ${error instanceof Error ? error.message : error}`);
      }
    }, ROTATION_MS).unref();
    writeFileSync(pidFile, String(child.pid));
    const exited = once(child, 'exit');
    child.on('message', (message: ServiceMessage) => {
      if ('notice' in message) notices.add(message.notice);
      else onReady();
    });
    const onStop = () => void terminate(child);
    stopping.signal.addEventListener('abort', onStop);
    const [code, signal] = await exited;
    clearInterval(rotation);
    stopping.signal.removeEventListener('abort', onStop);
    rmSync(pidFile, { force: true });
    if (stopping.signal.aborted) return;
    console.error(`The ${name} exited (${signal ?? `code ${code}`}). Restarting it. See ${log}.`);
    await delay(RESTART_MS, undefined, { signal: stopping.signal }).catch(ignoreAbort);
  }
}

async function terminate(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await once(child, 'exit');
  clearTimeout(timer);
}

function ignoreAbort(error: unknown): void {
  if (!stopping.signal.aborted) throw error;
}

/** Polls a URL until it responds successfully. */
async function waitForResponse(url: string): Promise<Response> {
  for (;;) {
    stopping.signal.throwIfAborted();
    const response = await fetch(url).catch((error: unknown) => {
      // The service isn't listening yet.
      if (error instanceof TypeError) return null;
      throw error;
    });
    if (response?.ok) return response;
    await delay(POLL_MS);
  }
}

/** Returns the ports of the virtual recorders. */
function recorderPorts({ RECORDER_PORT: first, RECORDERS: count }: Config): number[] {
  return first === 0 ? [] : Array.from({ length: count }, (_, n) => first + n);
}

/** Registers the virtual recorders' serial numbers, so they can be bound like real hardware. */
async function registerRecorders(ports: readonly number[], databaseUrl: string): Promise<void> {
  const statuses = await Promise.all(
    ports.map(async (port) => {
      const response = await waitForResponse(`http://127.0.0.1:${port}/status`);
      return (await response.json()) as { sn: string; publicKey: string };
    }),
  );
  const { db } = openDatabase(databaseUrl, (error) => console.error(error));
  try {
    await registerDevices(db, statuses);
  } finally {
    await db.destroy();
  }
}

async function main(config: Config): Promise<void> {
  // Make files created by this process and its children private to its user, regardless of the service manager's umask.
  process.umask(0o077);
  // Install the handlers first, because a signal during startup must not leave the database running.
  let isStopRequested = false;
  let shutDown = () => {};
  const requestStop = () => {
    isStopRequested = true;
    shutDown();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, requestStop);
  // The channel to the parent process closes if the parent dies.
  process.once('disconnect', requestStop);
  const runDir = join(await ensureDataDir(config.DATA_DIR), 'run');
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  // Earlier versions created this folder readable by other users.
  chmodSync(runDir, 0o700);
  const release = claimDataDir(runDir);
  await checkPort('PORT', config.HOST, config.PORT);
  await readTls(config);
  const recorders = recorderPorts(config);
  for (const port of recorders) await checkPort('RECORDER_PORT', '127.0.0.1', port);
  const database = config.DATABASE_URL
    ? { url: config.DATABASE_URL, stop: async () => {} }
    : await startPostgres({ dataDir: config.DATA_DIR, log: (message) => console.log(message) });
  const env = {
    ...process.env,
    DATA_DIR: config.DATA_DIR,
    DATABASE_URL: database.url,
    ENGINES_DIR: config.ENGINES_DIR ?? enginesDir,
    RECORDER_PORT: String(config.RECORDER_PORT),
    RECORDERS: String(config.RECORDERS),
    // The recorder trusts firmware signed by this server.
    RECORDER_FIRMWARE_KEY:
      process.env.RECORDER_FIRMWARE_KEY ?? getPublicKey(await signingKey(config.DATA_DIR)),
  };
  const supervise = (service: Service, onReady?: () => void) =>
    superviseService(service, runDir, env, onReady);
  const api = Promise.withResolvers<void>();
  const running: Promise<void>[] = [];
  let stopped: Promise<void> | null = null;
  // Stop only once, because a service manager may send its own signal in addition to the forwarded one.
  const stop = () => {
    stopped ??= (async () => {
      stopping.abort();
      await Promise.all(running);
      await database.stop();
      release();
    })();
    return stopped;
  };
  shutDown = () => void stop().then(() => process.exit(0));
  if (isStopRequested) return shutDown();
  try {
    stopping.signal.addEventListener('abort', () => api.reject(stopping.signal.reason));
    running.push(supervise(services.api, api.resolve));
    if (recorders.length > 0) running.push(supervise(services.recorder));
    // The API migrates the database. The worker and the registration need the migrated schema.
    await api.promise;
    running.push(supervise(services.worker));
    if (recorders.length > 0) await registerRecorders(recorders, database.url);
    const outbox = await outboxAddress(config);
    if (outbox) console.log(`Outgoing mail is shown on ${outbox}`);
    for (const warning of exposureWarnings(config)) console.warn(`Warning: ${warning}`);
    console.log(`Linnet is ready on ${config.origin}`);
    notices.open();
  } catch (error) {
    if (stopping.signal.aborted) return;
    await stop();
    throw error;
  }
}

try {
  await main(readConfig(process.env));
} catch (error) {
  const isExpected = error instanceof ConfigFailure || error instanceof StartFailure;
  console.error(isExpected ? error.message : error);
  process.exit(1);
}
