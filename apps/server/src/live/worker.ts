/** Processes the recordings in progress that are sent to this server. */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type LiveParts, processSession } from './session.ts';
import { HoldLost } from './store.ts';

/** Milliseconds between polls for sessions, and after an unexpected error. */
const pollMs = 500;
const errorMs = 5000;
/** Number of unexpected errors before the text of a session ends. */
const maxFailures = 3;

/**
 * Takes sessions until stopped, at most one for each core, since each of them keeps a model loaded.
 * @returns a function that releases the sessions, and resolves when they are
 */
export function startLiveWorker(
  parts: LiveParts,
  limit = availableParallelism(),
): () => Promise<void> {
  const { store, log } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const active = new Set<Promise<void>>();
  /** Number of unexpected failures of a session in this worker. */
  const failures = new Map<string, number>();

  async function process(): Promise<boolean> {
    const session = await store.claim();
    if (!session) return false;
    const work = processSession(parts, session, signal)
      .catch(async (error: unknown) => {
        if (error instanceof HoldLost) return;
        if (!signal.aborted) {
          const count = (failures.get(session.id) ?? 0) + 1;
          failures.set(session.id, count);
          log.error({ err: error, session: session.id }, 'live text failed');
          if (count === maxFailures) return store.stop(session, 'engineFailed');
          // The wait rejects only if the worker stops, and then the session is released.
          await delay(errorMs, undefined, { signal }).catch(() => undefined);
        }
        await store.release(session, session.processed);
      })
      .catch((error: unknown) => log.error({ err: error }, 'live session not released'))
      .finally(() => active.delete(work));
    active.add(work);
    return true;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (active.size < limit && (await process())) continue;
        await delay(pollMs, undefined, { signal });
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, 'live sessions not read');
        // The wait rejects only if the worker stops, which ends the loop.
        await delay(errorMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  const running = run();
  return async () => {
    stopping.abort();
    await running;
    await Promise.all(active);
  };
}
