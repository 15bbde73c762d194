import type { Logger } from 'pino';
import type { PassageIndex } from '../retrieval/passage-index.ts';
import type { JobHandler } from './jobs.ts';

/** Maximum number of accounts per run. */
const maxAccounts = 100;
/** Maximum duration of a run in seconds. The next run starts with the accounts that have the most unindexed changes. */
const maxSeconds = 50;

/**
 * Creates the "index-passages" job, which indexes changed recordings in advance, so questions don't have to wait for
 * indexing.
 */
export function indexPassagesJob(
  index: PassageIndex,
  log: Pick<Logger, 'error'>,
): JobHandler<'index-passages'> {
  return async (_payload, signal) => {
    const deadline = Date.now() + maxSeconds * 1000;
    for (const accountId of await index.outdatedAccounts(maxAccounts)) {
      if (signal.aborted || Date.now() >= deadline) return;
      try {
        if (await index.update(accountId, deadline)) await index.rebuild(accountId, deadline);
      } catch (err) {
        // Continue with the other accounts. The next run retries this account.
        log.error({ err, accountId }, 'failed to index passages');
      }
    }
  };
}
