import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { dayMs } from '../calendar.ts';
import type { Config } from '../config/index.ts';
import type { Database } from '../db/database.ts';
import { isUnexpired } from '../modules/key/authenticate.ts';
import { deleteAbandonedSessions } from '../modules/live/service.ts';
import type { Minutes } from '../modules/minutes/service.ts';
import { deleteOldHistory } from '../modules/recording/history.ts';
import { deleteOldRuns } from '../modules/retention/upkeep.ts';
import { expiredLinkDays } from '../modules/share/service.ts';
import { sweepUploads } from '../modules/upload/sweep.ts';
import { deleteOldDeliveries, wakeOverdue } from '../modules/webhook/upkeep.ts';
import { sweepTaskScratch } from '../pipeline/scratch.ts';
import { sweepOutbox } from '../providers/mail/outbox.ts';
import type { ObjectStore } from '../providers/storage/port.ts';
import type { JobHandler } from './jobs.ts';
import type { Queue } from './queue.ts';

export interface HousekeepingDependencies {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly queue: Queue;
  readonly minutes: Minutes;
  readonly config: Pick<Config, 'DATA_DIR' | 'HISTORY_DAYS'>;
  readonly log: Logger;
  readonly now: () => Date;
}

/**
 * Days to keep a refresh token after its exchange. Reuse after the grace period revokes the session, so theft is
 * detected for this long.
 */
const usedTokenDays = 30;
/** Days to keep verification codes. They are valid for minutes, but a day leaves time to investigate complaints. */
const codeDays = 1;
/** Days to keep rate limit counters: longer than any window of the rate limiter. */
const rateWindowDays = 1;
/** Days to keep known networks: twice the lifetime of a refresh token. */
const knownNetworkDays = 180;
/** Days to keep payment events. Payment services resend events for days; their effects are stored with the order. */
const paymentEventDays = 90;
/** Days to keep feedback from signed-out users, because they can't delete it themselves. */
const visitorFeedbackDays = 30;
/** Days to keep the emails in the outbox of a server without SMTP. They contain verification codes. */
const outboxDays = 30;

/** Creates the "housekeeping" job, which deletes expired data. Its tasks are independent of each other. */
export function housekeepingJob(deps: HousekeepingDependencies): JobHandler<'housekeeping'> {
  const { db, config, log, now } = deps;
  return async () => {
    const timeAgo = (days: number) => new Date(now().getTime() - days * dayMs);
    const deleted = {
      tokens: await count(
        db
          .deleteFrom('refresh_tokens')
          .where((condition) =>
            condition.or([
              condition('expires_at', '<=', now()),
              condition('used_at', '<=', timeAgo(usedTokenDays)),
            ]),
          ),
      ),
      // A session is active while one of its refresh tokens can still be exchanged, or its API key or calendar is
      // valid.
      sessions: await count(
        db
          .deleteFrom('sessions')
          .where((condition) =>
            condition.or([
              condition('revoked_at', 'is not', null),
              condition.not(
                condition.or([
                  condition.exists(
                    condition
                      .selectFrom('refresh_tokens')
                      .select('hash')
                      .whereRef('session_id', '=', 'sessions.id'),
                  ),
                  condition.exists(
                    condition
                      .selectFrom('api_keys')
                      .select('hash')
                      .whereRef('session_id', '=', 'sessions.id')
                      .where(isUnexpired(now())),
                  ),
                  condition.exists(
                    condition
                      .selectFrom('calendar_addresses')
                      .select('session_id')
                      .whereRef('session_id', '=', 'sessions.id'),
                  ),
                ]),
              ),
            ]),
          ),
      ),
      shareLinks: await count(
        db.deleteFrom('share_links').where('expires_at', '<=', timeAgo(expiredLinkDays)),
      ),
      codes: await count(
        db.deleteFrom('verification_codes').where('expires_at', '<=', timeAgo(codeDays)),
      ),
      // The rate limiter uses the database's clock.
      rateWindows: await count(
        db
          .deleteFrom('rate_windows')
          .where('started_at', '<', sql<Date>`now() - make_interval(days => ${rateWindowDays})`),
      ),
      networks: await count(
        db.deleteFrom('known_networks').where('seen_at', '<=', timeAgo(knownNetworkDays)),
      ),
      paymentEvents: await count(
        db.deleteFrom('payment_events').where('created_at', '<=', timeAgo(paymentEventDays)),
      ),
      liveSessions: await deleteAbandonedSessions(
        db,
        deps.minutes,
        new Date(now().getTime() - limits.live.keptSeconds * 1000),
      ),
      retentionRuns: await deleteOldRuns(db, now()),
      webhookDeliveries: await deleteOldDeliveries(db, now()),
      visitorFeedback: await count(
        db
          .deleteFrom('feedback')
          .where('account_id', 'is', null)
          .where('created_at', '<=', timeAgo(visitorFeedbackDays)),
      ),
      history:
        config.HISTORY_DAYS === 0 ? 0 : await deleteOldHistory(db, timeAgo(config.HISTORY_DAYS)),
    };
    const webhooks = await wakeOverdue(db, deps.queue, now());
    const scratch = await sweepTaskScratch(db, config.DATA_DIR);
    const uploads = await sweepUploads(deps);
    const mails = await sweepOutbox(config.DATA_DIR, timeAgo(outboxDays));
    log.info({ deleted, webhooks, scratch, uploads, mails }, 'housekeeping done');
  };
}

async function count(query: {
  executeTakeFirstOrThrow(): Promise<{ readonly numDeletedRows: bigint }>;
}): Promise<number> {
  return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
}
