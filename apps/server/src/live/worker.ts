/** Transcribes live recordings while they are streamed to this server. */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type LiveDependencies, processSession } from './session.ts';
import { HoldLost } from './store.ts';

/** Poll interval for sessions, in milliseconds. */
const pollMs = 500;
/** Delay after an unexpected error, in milliseconds. */
const errorMs = 5000;
/** Number of unexpected errors after which the live transcription of a session stops. */
const maxFailures = 3;

/**
 * Claims and processes sessions until stopped. Runs at most one session per core, because each keeps a model loaded.
 * @returns a function that stops the worker and resolves once all sessions are released
 */
export function startLiveWorker(
  deps: LiveDependencies,
  limit = availableParallelism(),
): () => Promise<void> {
  const { store, log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const activeWork = new Set<Promise<void>>();
  /** Number of unexpected errors of each session in this worker, by session ID. */
  const failures = new Map<string, number>();

  async function process(): Promise<boolean> {
    const session = await store.claim();
    if (!session) return false;
    const work = processSession(deps, session, signal)
      .catch(async (error: unknown) => {
        if (error instanceof HoldLost) return;
        if (!signal.aborted) {
          const count = (failures.get(session.id) ?? 0) + 1;
          failures.set(session.id, count);
          log.error({ err: error, session: session.id }, 'live transcription failed');
          if (count === maxFailures) return store.stop(session, 'engineFailed');
          // The delay rejects only if the worker stops, and then the session is released below.
          await delay(errorMs, undefined, { signal }).catch(() => undefined);
        }
        await store.release(session, session.processed);
      })
      .catch((error: unknown) => log.error({ err: error }, 'failed to release live session'))
      .finally(() => activeWork.delete(work));
    activeWork.add(work);
    return true;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (activeWork.size < limit && (await process())) continue;
        await delay(pollMs, undefined, { signal });
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, 'failed to poll live sessions');
        // The delay rejects only if the worker stops, which ends the loop.
        await delay(errorMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  const running = run();
  return async () => {
    stopping.abort();
    await running;
    await Promise.all(activeWork);
  };
}
