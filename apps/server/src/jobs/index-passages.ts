import type { Logger } from 'pino';
import type { PassageIndex } from '../retrieval/passage-index.ts';
import type { JobHandler } from './jobs.ts';

/** Maximum accounts per run. */
const maxAccounts = 100;
/** Seconds after which a run ends, so that the next one begins with the accounts that have changed since. */
const maxSeconds = 50;

/** Creates the job "index-passages", which indexes changed recordings, so that questions don't wait for it. */
export function indexPassagesJob(
  index: PassageIndex,
  log: Pick<Logger, 'error'>,
): JobHandler<'index-passages'> {
  return async (_payload, signal) => {
    const deadline = Date.now() + maxSeconds * 1000;
    for (const accountId of await index.outdatedAccounts(maxAccounts)) {
      if (signal.aborted || Date.now() >= deadline) return;
      try {
        await index.update(accountId, deadline);
      } catch (err) {
        // The other accounts don't depend on this one, which the next run tries again.
        log.error({ err, accountId }, 'passages not indexed');
      }
    }
  };
}
