/**
 * Sends a webhook's due deliveries. Only one job per webhook runs at a time. A delivery is claimed with a lease for the
 * duration of an attempt. If the worker dies, another worker claims the delivery after the lease expires, so each
 * delivery is sent at least once, always with the same ID.
 */
import type { WebhookMessage } from '@linnet/contract';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { DeadlineFailure, withTimeout } from '../../deadline.ts';
import type { Queue } from '../../jobs/queue.ts';
import { disableWebhooks } from './disable.ts';
import { wake } from './events.ts';
import { writeMessages } from './message.ts';
import { begin, end, type Run, renew } from './run.ts';
import { failingMs, nextDelayMs } from './schedule.ts';
import { signatureHeaders, validSecrets } from './secret.ts';
import { defaultTimeoutMs, type Endpoint, type SendResult, type WebhookSender } from './sender.ts';

export interface DeliverDependencies {
  readonly db: Database;
  readonly queue: Queue;
  readonly sender: WebhookSender;
  /** The key that webhook secrets are encrypted with. */
  readonly secretKey: Uint8Array;
  /** The server's public URL. */
  readonly origin: string;
  readonly log: Logger;
  readonly now: () => Date;
  /** Returns a random number from 0 to 1, for jitter. */
  readonly random: () => number;
  /**
   * Timeout of an attempt, in milliseconds, enforced even if the sender hangs. Defaults to {@link defaultAttemptMs}.
   */
  readonly attemptMs?: number;
  /** Called for each attempt once its result is stored. */
  readonly onAttempt?: (outcome: AttemptOutcome) => void;
}

/** The outcome of an attempt, for metrics. `failed` means that there are no further attempts. */
export type AttemptOutcome = 'delivered' | 'retried' | 'failed' | 'aborted';

/** Number of deliveries sent to a webhook concurrently. */
const batchSize = 10;
/** Longer than the sender's own timeout. A safeguard, so a hanging sender can't block the job forever. */
const defaultAttemptMs = defaultTimeoutMs + 5000;
/** Lease of a claimed delivery, in milliseconds. Longer than an attempt may take. */
const leaseMs = 60_000;
/** Time after which a job yields to other webhooks, in milliseconds, so a slow receiver doesn't delay them. */
const maxRunMs = 20_000;
/** Pause after a whole batch failed or the receiver throttled requests, in milliseconds. */
const pauseMs = 60_000;

/** HTTP statuses that indicate throttling or overload. */
const throttled = new Set([429, 502, 504]);
const goneStatus = 410;

type ClaimedDelivery = Pick<
  Row<'webhook_deliveries'>,
  'id' | 'webhook_id' | 'type' | 'recording_id' | 'client_flag' | 'occurred_at' | 'tries'
>;

/** A claimed delivery with the result of its attempt. */
interface Attempt {
  readonly delivery: ClaimedDelivery;
  readonly result: SendResult;
  readonly ms: number;
}

interface SettledAttempt extends Attempt {
  readonly outcome: AttemptOutcome;
}

/**
 * Sends the webhook's due deliveries in batches, and enqueues a job for the remaining deliveries.
 * @param at when the job was scheduled to start, which distinguishes it from other jobs of the webhook
 */
export async function deliverDue(
  deps: DeliverDependencies,
  { webhookId, at }: { readonly webhookId: string; readonly at: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, sender, now } = deps;
  const run = await db.transaction().execute((trx) => begin(trx, deps, webhookId, new Date(at)));
  if (!run) return;
  const { webhook } = run;
  let { until } = run;
  const secrets = validSecrets(deps.secretKey, webhook, now());
  if (!secrets) {
    // The deliveries wait, without using up attempts, until SECRET is restored or the webhook's secret is rotated.
    deps.log.error({ webhookId }, 'webhook secret was encrypted with a different SECRET');
    await db.transaction().execute((trx) => end(trx, { webhookId, until }, null));
    return;
  }
  const endpoint = await sender.open(webhook.url);
  const start = performance.now();
  let isPaused = false;
  try {
    while (!isPaused && !signal.aborted && performance.now() - start < maxRunMs) {
      const renewed = await renew(db, webhookId, until, now());
      if (!renewed) return;
      until = renewed;
      const claimed = await claim(db, webhookId, now());
      if (claimed.length === 0) break;
      const attempts = await attempt(deps, secrets, endpoint, claimed, signal);
      report(
        deps,
        webhookId,
        await db.transaction().execute((trx) => settle(trx, deps, webhookId, attempts)),
      );
      isPaused = needsPause(attempts);
    }
  } finally {
    endpoint.close();
  }
  const pausedUntil = isPaused ? new Date(now().getTime() + pauseMs) : null;
  await db
    .transaction()
    .execute((trx) => wakeForNext(trx, deps, { webhookId, until }, pausedUntil));
}

/** Claims due deliveries. Another worker can claim them again after the lease expires. */
function claim(db: Database, webhookId: string, now: Date): Promise<ClaimedDelivery[]> {
  return db
    .updateTable('webhook_deliveries')
    .set({
      due_at: new Date(now.getTime() + leaseMs),
      attempts: sql<number>`attempts + 1`,
      tries: sql<number>`tries + 1`,
      attempted_at: now,
      gathers: false,
    })
    .where('id', 'in', (query) =>
      query
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .where('status', '=', 'waiting')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('id')
        .limit(batchSize)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'webhook_id', 'type', 'recording_id', 'client_flag', 'occurred_at', 'tries'])
    .execute();
}

async function attempt(
  { db, origin, now, attemptMs = defaultAttemptMs }: DeliverDependencies,
  secrets: readonly Uint8Array[],
  endpoint: Endpoint,
  claimed: readonly ClaimedDelivery[],
  signal: AbortSignal,
): Promise<Attempt[]> {
  const messages = await writeMessages(db, claimed, origin);
  const post = async (id: string, message: WebhookMessage): Promise<SendResult> => {
    const body = JSON.stringify(message);
    const headers = signatureHeaders(secrets, { id, body }, now());
    try {
      return await withTimeout(attemptMs, endpoint.post(headers, body, signal));
    } catch (error) {
      if (!(error instanceof DeadlineFailure)) throw error;
      return { kind: 'failed', failure: 'timeout' };
    }
  };
  return Promise.all(
    claimed.map(async (delivery) => {
      const start = performance.now();
      const message = messages.get(delivery.id);
      if (!message) throw new Error('missing message for a delivery');
      const result = await post(delivery.id, message);
      return { delivery, result, ms: Math.round(performance.now() - start) };
    }),
  );
}

/**
 * Stores the results of a batch, and disables the webhook if its receiver is gone or has failed for days.
 * @returns the attempts with their outcomes, or an empty list if the webhook has since been deleted
 */
async function settle(
  trx: Transaction,
  { now, random }: DeliverDependencies,
  webhookId: string,
  attempts: readonly Attempt[],
): Promise<SettledAttempt[]> {
  const webhook = await trx
    .selectFrom('webhooks')
    .select(['failing_since', 'disabled_at'])
    .where('id', '=', webhookId)
    .forUpdate()
    .executeTakeFirst();
  if (!webhook) return [];
  // The webhook may have been disabled during the attempts, for example by a password change.
  const isDisabled = webhook.disabled_at !== null;
  const settled: SettledAttempt[] = [];
  for (const attempt of attempts) {
    const { delivery, result, ms } = attempt;
    const next = isDisabled
      ? lastColumns(result)
      : nextColumns(delivery.tries, result, now(), random());
    await trx
      .updateTable('webhook_deliveries')
      .set({ ...resultColumns(result, ms), ...next })
      .where('id', '=', delivery.id)
      .execute();
    const outcome = next.status === 'waiting' ? 'retried' : next.status;
    settled.push({ ...attempt, outcome: result.kind === 'aborted' ? 'aborted' : outcome });
  }
  if (isDisabled) return settled;
  const results = attempts.map(({ result }) => result).filter(({ kind }) => kind !== 'aborted');
  if (results.length === 0) return settled;
  const failingSince = results.some(isDelivered) ? null : (webhook.failing_since ?? now());
  await trx
    .updateTable('webhooks')
    .set({ failing_since: failingSince })
    .where('id', '=', webhookId)
    .execute();
  if (results.some((result) => httpStatus(result) === goneStatus)) {
    await disableWebhooks(trx, { id: webhookId }, 'gone', now());
  } else if (failingSince !== null && now().getTime() - failingSince.getTime() >= failingMs) {
    await disableWebhooks(trx, { id: webhookId }, 'failing', now());
  } else if (failingSince !== null && settled.some(({ outcome }) => outcome === 'failed')) {
    await resetFailures(trx, webhookId);
  }
  return settled;
}

/**
 * Resets the start of the failures if no attempt is pending. Otherwise the idle time until the next event would count
 * as failing, and the first failure after it would disable the webhook.
 */
async function resetFailures(trx: Transaction, webhookId: string): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('id', '=', webhookId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_deliveries')
            .select('webhook_deliveries.id')
            .where('webhook_id', '=', webhookId)
            .where('status', '=', 'waiting'),
        ),
      ),
    )
    .execute();
}

/** Returns the columns that describe an attempt. */
function resultColumns(result: SendResult, ms: number) {
  if (result.kind === 'aborted') return {};
  if (result.kind === 'failed') {
    return { duration_ms: ms, response_status: null, failure: result.failure };
  }
  const { status } = result;
  const isRedirect = status >= 300 && status < 400;
  const failure = isRedirect ? ('redirect' as const) : ('status' as const);
  return {
    duration_ms: ms,
    response_status: status,
    failure: isDelivered(result) ? null : failure,
  };
}

/** Returns the columns that determine whether and when there is another attempt. */
function nextColumns(tries: number, result: SendResult, now: Date, random: number) {
  if (result.kind === 'aborted')
    return { status: 'waiting' as const, due_at: now, tries: tries - 1 };
  if (isDelivered(result) || httpStatus(result) === goneStatus) return lastColumns(result);
  const retryAfter = result.kind === 'responded' ? result.retryAfterSeconds : null;
  const delay = nextDelayMs(tries, retryAfter, random);
  if (delay === null) return lastColumns(result);
  return { status: 'waiting' as const, due_at: new Date(now.getTime() + delay) };
}

/** Returns the columns of a delivery without further attempts. */
function lastColumns(result: SendResult) {
  const status = isDelivered(result) ? ('delivered' as const) : ('failed' as const);
  return { status, due_at: null };
}

/**
 * Finishes a job, and enqueues a job for the next deliveries, if any.
 * @param pausedUntil when the next deliveries may be sent, or null if they may be sent immediately
 */
async function wakeForNext(
  trx: Transaction,
  { queue, now }: DeliverDependencies,
  run: Run,
  pausedUntil: Date | null,
): Promise<void> {
  const webhook = await end(trx, run, pausedUntil);
  if (!webhook) return;
  const { due } = await trx
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.min<Date | null>('due_at').as('due'))
    .where('webhook_id', '=', run.webhookId)
    .where('status', '=', 'waiting')
    .executeTakeFirstOrThrow();
  if (due === null) return;
  await wake(trx, queue, webhook, new Date(Math.max(due.getTime(), now().getTime())));
}

const httpStatus = (result: SendResult) => (result.kind === 'responded' ? result.status : null);

function isDelivered(result: SendResult): boolean {
  const status = httpStatus(result);
  return status !== null && status >= 200 && status < 300;
}

function needsPause(attempts: readonly Attempt[]): boolean {
  const isThrottled = attempts.some(({ result }) => throttled.has(httpStatus(result) ?? 0));
  return (
    isThrottled ||
    (attempts.length === batchSize && !attempts.some(({ result }) => isDelivered(result)))
  );
}

/** Logs failures and counts attempts. The URL isn't logged, because it may contain secrets. */
function report(
  { log, onAttempt }: DeliverDependencies,
  webhookId: string,
  attempts: readonly SettledAttempt[],
): void {
  for (const { delivery, result, ms, outcome } of attempts) {
    onAttempt?.(outcome);
    if (outcome === 'delivered' || outcome === 'aborted') continue;
    const { kind: _, ...details } = result;
    const attempted = { webhookId, deliveryId: delivery.id, tries: delivery.tries, ms };
    log.warn({ ...attempted, ...details, outcome }, 'webhook delivery failed');
  }
}
