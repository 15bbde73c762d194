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
 * Days to keep a refresh token after its exchange. Presenting one after the grace period revokes the session, so theft
 * is detected for this long.
 */
const usedTokenDays = 30;
/** Codes are valid for minutes, but are kept for a day so that complaints can be investigated. */
const codeDays = 1;
/** Longer than any window of the rate limiter. */
const rateWindowDays = 1;
/** Twice the lifetime of a refresh token. A network not used for longer counts as unknown again. */
const knownNetworkDays = 180;
/** Payment services resend events for days; the effects of an event are stored with the order. */
const paymentEventDays = 90;
/** Retention of feedback from signed-out users, who cannot delete it themselves. */
const visitorFeedbackDays = 30;

/** The job "housekeeping": deletes expired data. Its parts are independent. */
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
              where('used_at', '<=', ago(usedTokenDays)),
            ]),
          ),
      ),
      // An active session has a token that can still be exchanged.
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
      // The limiter uses the database's clock.
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
    log.info({ deleted, scratch, uploads: await sweepUploads(parts) }, 'housekeeping done');
  };
}

async function count(query: {
  executeTakeFirstOrThrow(): Promise<{ readonly numDeletedRows: bigint }>;
}): Promise<number> {
  return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
}
