import type { PassageIndex } from '../retrieval/passage-index.ts';
import type { JobHandler } from './jobs.ts';

/** Maximum accounts per run. */
const maxAccounts = 100;
/** Seconds after which a run ends, so that the next one begins with the accounts that have changed since. */
const maxSeconds = 50;

/**
 * Creates the job "index-passages", which indexes changed recordings, so that questions don't wait for it.
 * @param now returns milliseconds
 */
export function indexPassagesJob(
  index: PassageIndex,
  now: () => number = Date.now,
): JobHandler<'index-passages'> {
  return async (_payload, signal) => {
    const deadline = now() + maxSeconds * 1000;
    for (const accountId of await index.outdatedAccounts(maxAccounts)) {
      if (signal.aborted || now() >= deadline) return;
      await index.update(accountId, deadline);
    }
  };
}
