import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { within } from '../deadline.ts';
import type { Queue } from '../jobs/queue.ts';
import type { ObjectStore } from '../providers/storage/port.ts';

/** What a process needs to do its work. */
export interface Needs {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly queue: Queue;
}

/** How one of them answered; `ms` is what the answer took. */
interface Answer {
  readonly state: 'ready' | 'failed' | 'late';
  readonly ms: number;
}

/** Whoever asks for readiness waits so long at most. */
const limitMs = 2000;
/** An answer serves everybody who asks within so long. */
const freshMs = 1000;

/** /healthz: the process answers. /readyz: so does what it needs, each part named. */
export function installHealth(
  app: FastifyInstance,
  { db, store, queue }: Needs,
  log: Logger,
): void {
  const parts = {
    database: watch('database', () => sql`select 1`.execute(db), log),
    storage: watch('storage', () => reach(store), log),
    queue: watch('queue', () => queue.counts(), log),
  };
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'alive' }));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const [database, storage, queued] = await Promise.all([
      parts.database(),
      parts.storage(),
      parts.queue(),
    ]);
    const ready = [database, storage, queued].every(({ state }) => state === 'ready');
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'waiting', database, storage, queue: queued });
  });
}

/** Any answer will do: no object has such a key. */
async function reach(store: ObjectStore): Promise<void> {
  for await (const _ of store.list('ready')) return;
}

/** Asks for a part once at a time, remembers the answer for a moment, and never waits beyond the limit. */
function watch(part: string, ask: () => Promise<unknown>, log: Logger): () => Promise<Answer> {
  let last: { answer: Answer; at: number } | null = null;
  let running: { since: number; end: Promise<Answer> } | null = null;

  async function run(since: number): Promise<Answer> {
    const state = await ask().then(
      () => 'ready' as const,
      (error) => {
        if (last?.answer.state !== 'failed') log.warn({ part, err: error }, 'not ready');
        return 'failed' as const;
      },
    );
    const answer = { state, ms: Math.round(performance.now() - since) };
    last = { answer, at: performance.now() };
    running = null;
    return answer;
  }

  return async () => {
    const now = performance.now();
    if (last && now - last.at < freshMs) return last.answer;
    running ??= { since: now, end: run(now) };
    const { since, end } = running;
    const rest = Math.max(0, since + limitMs - now);
    const late = (): Answer => ({ state: 'late', ms: Math.round(performance.now() - since) });
    return within(rest, end).catch(late);
  };
}
