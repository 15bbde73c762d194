/** Downloads the requested models in the background, one at a time, retrying until they are installed. */
import { setTimeout as pause } from 'node:timers/promises';
import { type KnownModel, knownModels } from './catalog.ts';
import { type ModelDownload, writeDownloadState } from './download-state.ts';
import { ModelFailure, type ModelFailureCode, storageFailure } from './failure.ts';
import { getAddress, installModel, sweepIncoming } from './install/install.ts';
import type { Installation } from './install/installation.ts';
import { lockFolder } from './lock.ts';
import { openModels } from './store.ts';

export interface BackgroundDownloads {
  /** Resolves when every model is installed or has permanently failed, or when the downloads are stopped. */
  readonly ended: Promise<void>;
  /** Stops the current download. The next start resumes it. */
  stop(): Promise<void>;
}

export interface BackgroundJob
  extends Pick<
    Installation,
    'folder' | 'mirror' | 'privateRoot' | 'now' | 'freeBytes' | 'prepare'
  > {
  /** Names of the requested models, in order. All are in the catalog. */
  readonly names: readonly string[];
  /** Replaces the catalog, for tests. */
  readonly catalog?: readonly KnownModel[];
  /** Receives messages for the operator: start, every quarter, and end of each model's download. */
  readonly notify: (message: string) => void;
  /** Receives an unexpected error. The downloads are retried later. */
  readonly onError: (error: unknown) => void;
  /** Waits between attempts. Replaced in tests. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Seconds to wait after an attempt at a download that made no progress. */
  readonly pauseSeconds?: number;
}

/**
 * Delays in milliseconds between attempts while the publisher is unreachable. The last delay repeats. An interrupted
 * attempt that received bytes resets the delay.
 */
const RETRY_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
/** Milliseconds between attempts to take over the lock from another process. */
const LOCKED_MS = 10_000;
/** Disk space in bytes that downloads leave free for recordings. */
const RESERVE_BYTES = 2 * 2 ** 30;
/** Minimum interval between two writes of the state, in milliseconds. */
const STATE_MS = 1000;

/** Failures that may go away on a later attempt, without the operator's help. */
const retryable: ReadonlySet<ModelFailureCode> = new Set([
  'unreachable',
  'storage-full',
  'refused',
]);

const megabytes = (bytes: number) => Math.max(1, Math.round(bytes / 1e6));

/** Starts the downloads and returns immediately. */
export function downloadInBackground(job: BackgroundJob): BackgroundDownloads {
  const controller = new AbortController();
  const ended = run(job, controller.signal).catch((error: unknown) => {
    if (!controller.signal.aborted) job.onError(error);
  });
  return {
    ended,
    async stop() {
      controller.abort();
      await ended;
    },
  };
}

async function run(job: BackgroundJob, stopSignal: AbortSignal): Promise<void> {
  const { wait = waitFor } = job;
  const reports = createReports(job);
  let attempts = 0;
  for (;;) {
    let outcome: PassOutcome;
    try {
      outcome = await tryOnce(job, reports, stopSignal);
    } catch (error) {
      stopSignal.throwIfAborted();
      // For example, a full disk may prevent writing the lock or the state.
      job.onError(error);
      outcome = 'retry';
    }
    if (outcome === 'ended') return;
    if (outcome === 'locked') {
      // The other process may be downloading the same models, or other models for the command line.
      await wait(LOCKED_MS, stopSignal);
      continue;
    }
    if (outcome === 'interrupted') attempts = 0;
    await wait(RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)] as number, stopSignal);
    attempts += 1;
  }
}

/** Takes the lock, and makes one attempt at each model that isn't installed. */
async function tryOnce(
  job: BackgroundJob,
  reports: Reports,
  stopSignal: AbortSignal,
): Promise<PassOutcome> {
  const { folder } = job;
  const lock = await lockFolder(folder);
  if (lock === null) return 'locked';
  try {
    await sweepIncoming(folder);
    return await downloadAll(job, reports, AbortSignal.any([stopSignal, lock.lost]));
  } catch (error) {
    if (stopSignal.aborted || !lock.lost.aborted) throw error;
    return 'retry';
  } finally {
    await lock.release();
  }
}

async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal, ref: false });
}

/**
 * `interrupted`: bytes were received before the publisher became unreachable. `locked`: another process has the lock.
 */
type PassOutcome = 'ended' | 'retry' | 'interrupted' | 'locked';

async function downloadAll(
  job: BackgroundJob,
  reports: Reports,
  signal: AbortSignal,
): Promise<PassOutcome> {
  const { folder, names, catalog = knownModels } = job;
  const installed = new Set(
    (await openModels(folder).installed()).map(({ manifest }) => manifest.name),
  );
  const models = catalog.filter(({ name }) => names.includes(name));
  models.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  const table = createTable(folder, models, installed, reports.failures);
  await table.write();
  try {
    return await downloadEach(job, models, installed, table, reports, signal);
  } finally {
    await table.settled();
  }
}

async function downloadEach(
  job: BackgroundJob,
  models: readonly KnownModel[],
  installed: ReadonlySet<string>,
  table: Table,
  reports: Reports,
  signal: AbortSignal,
): Promise<PassOutcome> {
  let hasReceived = false;
  for (const model of models) {
    const { name } = model;
    const previousFailure = reports.failures.get(name);
    if (installed.has(name) || (previousFailure !== undefined && !retryable.has(previousFailure)))
      continue;
    try {
      await table.set(name, { state: 'downloading', failure: null });
      await installModel({
        ...job,
        name,
        signal,
        reserveBytes: RESERVE_BYTES,
        onProgress: (fraction) => {
          hasReceived = true;
          table.setProgress(name, fraction);
          reports.onProgress(model, fraction);
        },
        onDownloaded: () => table.setInstalling(name),
      });
    } catch (error) {
      signal.throwIfAborted();
      const failure = error instanceof ModelFailure ? error : storageFailure(error);
      if (!failure) throw error;
      reports.onFailed(model, failure);
      const state = retryable.has(failure.code) ? 'waiting' : 'failed';
      await table.set(name, { state, failure: failure.code });
      // Without a connection, the other models would fail too.
      if (failure.code === 'unreachable') return hasReceived ? 'interrupted' : 'retry';
      continue;
    }
    reports.onInstalled(model);
    await table.set(name, { state: 'installed', done_bytes: model.download.bytes, failure: null });
  }
  return models.some(({ name }) => {
    const failure = reports.failures.get(name);
    return failure !== undefined && retryable.has(failure);
  })
    ? 'retry'
    : 'ended';
}

type Table = ReturnType<typeof createTable>;

/** Each model's state. Written to the folder in order, and at most once a second while bytes arrive. */
function createTable(
  folder: string,
  models: readonly KnownModel[],
  installed: ReadonlySet<string>,
  failures: ReadonlyMap<string, ModelFailureCode>,
) {
  const rows = new Map<string, ModelDownload>(
    models.map(({ name, licence, download: { bytes } }) => {
      const failure = failures.get(name) ?? null;
      const isPermanent = failure !== null && !retryable.has(failure);
      const state = installed.has(name) ? 'installed' : isPermanent ? 'failed' : 'waiting';
      const done_bytes = installed.has(name) ? bytes : 0;
      return [name, { name, licence, bytes, done_bytes, state, failure }];
    }),
  );
  let written: Promise<void> = Promise.resolve();
  let writtenAt = 0;
  const write = () => {
    writtenAt = performance.now();
    written = written.then(() => writeDownloadState(folder, [...rows.values()]));
    return written;
  };
  const change = (name: string, changes: Partial<ModelDownload>) => {
    rows.set(name, { ...(rows.get(name) as ModelDownload), ...changes });
  };
  // If a write fails, all later writes fail too, and `set` or `settled` throws the error.
  const writeWithoutWaiting = () => void write().catch(() => undefined);
  return {
    write,
    settled: () => written,
    set(name: string, changes: Partial<ModelDownload>) {
      change(name, changes);
      return write();
    },
    setProgress(name: string, fraction: number) {
      const { bytes } = rows.get(name) as ModelDownload;
      change(name, { done_bytes: Math.round(bytes * fraction) });
      if (performance.now() - writtenAt >= STATE_MS) writeWithoutWaiting();
    },
    setInstalling(name: string) {
      const { bytes } = rows.get(name) as ModelDownload;
      change(name, { state: 'installing', done_bytes: bytes });
      writeWithoutWaiting();
    },
  };
}

interface Reports {
  /** The last failure of each model that isn't installed. */
  readonly failures: ReadonlyMap<string, ModelFailureCode>;
  onProgress(model: KnownModel, fraction: number): void;
  onInstalled(model: KnownModel): void;
  onFailed(model: KnownModel, failure: ModelFailure): void;
}

/** Reports each message to the operator once, no matter how often an attempt is repeated. */
function createReports({ notify, mirror }: BackgroundJob): Reports {
  const failures = new Map<string, ModelFailureCode>();
  const quarters = new Map<string, number>();
  let isOffline = false;
  return {
    failures,
    onProgress({ name, description, licence, download: { bytes } }, fraction) {
      isOffline = false;
      const quarter = Math.floor(fraction * 4);
      const previous = quarters.get(name);
      quarters.set(name, Math.max(quarter, previous ?? 0));
      if (previous === undefined) {
        // Announce the download with its first bytes, so that a machine without internet access announces nothing.
        notify(
          `Downloading the model ${name} in the background: ${description}; ${megabytes(bytes)} MB, license ${licence}. MODELS=off prevents this.`,
        );
      } else if (quarter > previous && quarter < 4) {
        const doneMegabytes = megabytes(bytes * fraction);
        notify(`${name}: ${quarter * 25}%, ${doneMegabytes} of ${megabytes(bytes)} MB.`);
      }
    },
    onInstalled({ name }) {
      failures.delete(name);
      notify(`${name} is installed. New recordings use it.`);
    },
    onFailed(model, { code, message }) {
      const isKnown = failures.get(model.name) === code;
      failures.set(model.name, code);
      if (code === 'unreachable') {
        if (isOffline) return;
        isOffline = true;
        const { host } = new URL(getAddress(model, mirror));
        notify(`${host} can't be reached. The model download will continue once it can.`);
      } else if (!isKnown) {
        notify(`${model.name} couldn't be installed: ${message}.`);
      }
    },
  };
}
