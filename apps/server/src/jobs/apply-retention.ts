import type { Logger } from 'pino';
import { accountsWithDueRules, applyRules } from '../modules/retention/apply.ts';
import type { RetentionParts } from '../modules/retention/service.ts';
import type { JobHandler } from './jobs.ts';

/** Creates the job "apply-retention", which moves the recordings of retention rules to the recycle bin. */
export function applyRetentionJob(
  parts: RetentionParts,
  log: Pick<Logger, 'info' | 'error'>,
): JobHandler<'apply-retention'> {
  return async (_payload, signal) => {
    for (const accountId of await accountsWithDueRules(parts)) {
      if (signal.aborted) return;
      try {
        const moved = await applyRules(parts, accountId, signal);
        if (moved > 0) log.info({ accountId, moved }, 'retention rules applied');
      } catch (err) {
        if (signal.aborted) return;
        // The other accounts don't depend on this one, which the next run tries again.
        log.error({ err, accountId }, 'retention rules not applied');
      }
    }
  };
}
