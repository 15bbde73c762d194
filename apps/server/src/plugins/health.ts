import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { withTimeout } from '../deadline.ts';
import type { Queue } from '../jobs/queue.ts';
import { readDownloadState, summarizeDownloads } from '../models/index.ts';
import type { ObjectStore } from '../providers/storage/port.ts';

/** Dependencies of a process. */
export interface Dependencies {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly queue: Queue;
  /** Folder of the model downloads to report, or null if models aren't downloaded automatically. */
  readonly modelsDir: string | null;
}

/** The result of a dependency check. `ms` is the response time. */
interface CheckResult {
  readonly state: 'ready' | 'failed' | 'late';
  readonly ms: number;
}

/** Timeout of a readiness check, in milliseconds. */
const limitMs = 2000;
/** How long a result is cached, in milliseconds. */
const freshMs = 1000;

/** Installs /healthz, which reports that the process responds, and /readyz, which also checks every dependency. */
export function installHealth(
  app: FastifyInstance,
  { db, store, queue, modelsDir }: Dependencies,
  log: Logger,
): void {
  const parts = {
    database: cacheCheck('database', () => sql`select 1`.execute(db), log),
    storage: cacheCheck('storage', () => checkStore(store), log),
    queue: cacheCheck('queue', () => queue.counts(), log),
  };
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const [database, storage, queued, models] = await Promise.all([
      parts.database(),
      parts.storage(),
      parts.queue(),
      checkModels(modelsDir, log),
    ]);
    const isReady = [database, storage, queued].every(({ state }) => state === 'ready');
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ready' : 'waiting', database, storage, queue: queued, models });
  });
}

/**
 * Returns the state of the model downloads. It doesn't affect readiness, because the process works without the models.
 */
async function checkModels(folder: string | null, log: Logger) {
  if (folder === null) return { state: 'off' };
  try {
    const state = await readDownloadState(folder);
    return state ? summarizeDownloads(state) : { state: 'waiting' };
  } catch (error) {
    log.warn({ err: error }, 'failed to read model downloads');
    return { state: 'unknown' };
  }
}

/** Checks that the store responds, by listing a prefix that no object has. */
async function checkStore(store: ObjectStore): Promise<void> {
  for await (const _ of store.list('ready')) return;
}

/** Checks a dependency with a timeout. Concurrent callers share one check, and its result is cached briefly. */
function cacheCheck(
  part: string,
  check: () => Promise<unknown>,
  log: Logger,
): () => Promise<CheckResult> {
  let latest: { result: CheckResult; checkedAt: number } | null = null;
  let running: { since: number; end: Promise<CheckResult> } | null = null;

  async function run(since: number): Promise<CheckResult> {
    const state = await check().then(
      () => 'ready' as const,
      (error) => {
        if (latest?.result.state !== 'failed') log.warn({ part, err: error }, 'not ready');
        return 'failed' as const;
      },
    );
    const result = { state, ms: Math.round(performance.now() - since) };
    latest = { result, checkedAt: performance.now() };
    running = null;
    return result;
  }

  return async () => {
    const now = performance.now();
    if (latest && now - latest.checkedAt < freshMs) return latest.result;
    running ??= { since: now, end: run(now) };
    const { since, end } = running;
    const remainingMs = Math.max(0, since + limitMs - now);
    const timedOut = (): CheckResult => ({
      state: 'late',
      ms: Math.round(performance.now() - since),
    });
    return withTimeout(remainingMs, end).catch(timedOut);
  };
}
