import { sql } from 'kysely';
import type { Logger } from 'pino';
import { dayMs } from '../calendar.ts';
import type { Database } from '../db/database.ts';
import { sweepUploads } from '../modules/upload/sweep.ts';
import { sweepTaskScratch } from '../pipeline/scratch.ts';
import type { ObjectStore } from '../providers/storage/port.ts';
import type { JobHandler } from './jobs.ts';
import type { Queue } from './queue.ts';

export interface HousekeepingParts {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly queue: Queue;
  readonly dataDir: string;
  readonly log: Logger;
  readonly now: () => Date;
}

/**
 * How long a refresh token is kept after it was traded. Whoever shows one later than the grace time
 * ends the session, so this is how long a theft is still noticed.
 */
const tradedTokenDays = 30;
/** Codes are valid for minutes; a day leaves them to be looked at when somebody complains. */
const codeDays = 1;
/** Longer than any window of the rate limiter. */
const rateWindowDays = 1;
/** As long as two refresh tokens live: whoever was away for longer is a stranger to the limits again. */
const knownNetworkDays = 180;
/** Payment services repeat an event for days; what it did is kept with the order. */
const paymentEventDays = 90;
/** What somebody wrote without an account, who cannot delete it either. */
const visitorFeedbackDays = 30;

/** The job "housekeeping": deletes what nothing asks for any more. Each part stands alone. */
export function housekeepingJob(parts: HousekeepingParts): JobHandler<'housekeeping'> {
  const { db, dataDir, log, now } = parts;
  return async () => {
    const ago = (days: number) => new Date(now().getTime() - days * dayMs);
    const deleted = {
      tokens: await count(
        db
          .deleteFrom('refresh_tokens')
          .where((where) =>
            where.or([
              where('expires_at', '<=', now()),
              where('used_at', '<=', ago(tradedTokenDays)),
            ]),
          ),
      ),
      // One that lives has a token that can still be traded.
      sessions: await count(
        db
          .deleteFrom('sessions')
          .where((where) =>
            where.or([
              where('revoked_at', 'is not', null),
              where.not(
                where.exists(
                  where
                    .selectFrom('refresh_tokens')
                    .select('hash')
                    .whereRef('session_id', '=', 'sessions.id'),
                ),
              ),
            ]),
          ),
      ),
      codes: await count(
        db.deleteFrom('verification_codes').where('expires_at', '<=', ago(codeDays)),
      ),
      // The limiter counts by the clock of the database.
      rateWindows: await count(
        db
          .deleteFrom('rate_windows')
          .where('started_at', '<', sql<Date>`now() - make_interval(days => ${rateWindowDays})`),
      ),
      networks: await count(
        db.deleteFrom('known_networks').where('seen_at', '<=', ago(knownNetworkDays)),
      ),
      paymentEvents: await count(
        db.deleteFrom('payment_events').where('created_at', '<=', ago(paymentEventDays)),
      ),
      visitorFeedback: await count(
        db
          .deleteFrom('feedback')
          .where('account_id', 'is', null)
          .where('created_at', '<=', ago(visitorFeedbackDays)),
      ),
    };
    const scratch = await sweepTaskScratch(db, dataDir);
    log.info({ deleted, scratch, uploads: await sweepUploads(parts) }, 'housekeeping');
  };
}

async function count(query: {
  executeTakeFirstOrThrow(): Promise<{ readonly numDeletedRows: bigint }>;
}): Promise<number> {
  return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
}
