import type { Logger } from 'pino';
import { accountsWithDueRules, applyRules } from '../modules/retention/apply.ts';
import { checkClock, databaseTime } from '../modules/retention/clock.ts';
import type { RetentionDependencies } from '../modules/retention/service.ts';
import type { JobHandler } from './jobs.ts';

/** Creates the "apply-retention" job, which moves the recordings of retention rules to the recycle bin. */
export function applyRetentionJob(
  deps: RetentionDependencies,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): JobHandler<'apply-retention'> {
  const { db, time = databaseTime } = deps;
  return async (_payload, signal) => {
    // Use the checked time for all accounts, even if the clock jumps during the run.
    const runAt = await time(db);
    if (await checkClock(db, runAt)) log.warn('retention rules paused after a gap of days');
    for (const accountId of await accountsWithDueRules(db, runAt)) {
      if (signal.aborted) return;
      try {
        const movedCount = await applyRules(deps, accountId, runAt, signal);
        if (movedCount > 0) log.info({ accountId, moved: movedCount }, 'retention rules applied');
      } catch (err) {
        if (signal.aborted) return;
        // Continue with the other accounts. The next run retries this account.
        log.error({ err, accountId }, 'failed to apply retention rules');
      }
    }
  };
}
