/** Sends notifications to push services: encrypted (RFC 8291) and identified by VAPID (RFC 8292). */
import type { Logger } from 'pino';
import webPush from 'web-push';
import { dayMs, nextLocalHour } from '../../calendar.ts';
import type { Database, Row } from '../../db/database.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { JobPostponed } from '../../jobs/jobs.ts';
import { readAccountLanguage } from '../user/languages.ts';
import type { SendResult, WebhookSender } from '../webhook/sender.ts';
import { type PushMessage, writePushMessage } from './message.ts';
import type { Pauses } from './pauses.ts';
import { activeSubscriptions } from './subscriptions.ts';
import type { VapidKeys } from './vapid.ts';

/** The outcome of an attempt, for metrics. `gone` deletes the subscription. A `refused` message isn't retried. */
export type PushOutcome = 'delivered' | 'gone' | 'refused' | 'retried';

export interface SendPushDependencies {
  readonly db: Database;
  readonly sender: WebhookSender;
  readonly pauses: Pauses;
  readonly vapid: VapidKeys;
  /** A `https:` or `mailto:` URL where push services can reach the operator. */
  readonly contact: string;
  /** The server's URL as opened by users. */
  readonly origin: string;
  readonly log: Logger;
  readonly now: () => Date;
  readonly onAttempt?: (outcome: PushOutcome) => void;
}

type Subscription = Pick<
  Row<'push_subscriptions'>,
  | 'session_id'
  | 'account_id'
  | 'endpoint'
  | 'p256dh'
  | 'auth'
  | 'events'
  | 'shows_titles'
  | 'time_zone'
  | 'failing_since'
>;

/** Statuses that push services return for ended subscriptions (RFC 8030, 7.3). */
const goneStatuses = new Set([404, 410]);
/** How long push services keep a test for an offline browser, in milliseconds. */
const testMs = 300_000;
/** Timeout of an attempt in milliseconds. Push services normally respond within a second. */
export const pushTimeoutMs = 5000;
/** How long a transcript's notification is retried after the event, in milliseconds. */
const transcriptRetryMs = 2 * 3_600_000;
/** Once a subscription has failed for this long, in milliseconds, its messages are attempted only once. */
const failingMs = dayMs;

/**
 * Sends a notification, unless it is outdated.
 * @throws JobPostponed if the push service can't be reached or is overloaded
 */
export async function sendPush(
  deps: SendPushDependencies,
  job: Jobs['send-push'],
  signal: AbortSignal,
): Promise<void> {
  const { db, log, now, origin, pauses } = deps;
  const { kind, sessionId } = job;
  const subscription = await activeSubscriptions(db)
    .select(['session_id', 'push_subscriptions.account_id', 'endpoint', 'p256dh', 'auth'])
    .select(['events', 'shows_titles', 'time_zone', 'failing_since'])
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  if (!subscription || (kind !== 'test' && !subscription.events.includes(kind))) return;
  const ttlMs = computeExpiry(job, subscription).getTime() - now().getTime();
  if (ttlMs <= 0) {
    log.info({ sessionId, kind }, 'notification expired');
    return;
  }
  const language = (await readAccountLanguage(db, subscription.account_id)) ?? 'en';
  const message = await writePushMessage(db, job, { subscription, language, origin });
  if (!message) return;
  const attempt = pauses.begin(subscription.endpoint);
  if (!attempt) {
    await postpone(deps, job, subscription, 'the push service is paused');
    return;
  }
  const result = await post(deps, subscription, message, ttlMs, signal);
  signal.throwIfAborted();
  if (result.kind === 'responded') attempt.succeeded();
  else if (isUnreachable(result)) attempt.failed();
  await settle(deps, job, subscription, result);
}

/** Returns when a notification becomes outdated. */
function computeExpiry(job: Jobs['send-push'], { time_zone: timeZone }: Subscription): Date {
  const at = new Date(job.at);
  if (job.kind === 'todos') return nextLocalHour(at, 0, timeZone);
  return new Date(at.getTime() + (job.kind === 'test' ? testMs : dayMs));
}

/** Encrypts and posts a message. */
async function post(
  { sender, vapid, contact }: SendPushDependencies,
  { endpoint: url, p256dh, auth }: Subscription,
  message: PushMessage,
  ttlMs: number,
  signal: AbortSignal,
): Promise<SendResult> {
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint: url, keys: { p256dh, auth } },
    JSON.stringify(message),
    {
      vapidDetails: { subject: contact, ...vapid },
      TTL: Math.ceil(ttlMs / 1000),
      urgency: message.notification.data.kind === 'test' ? 'high' : 'normal',
      topic: message.notification.tag,
      contentEncoding: 'aes128gcm',
    },
  );
  const lowerCase = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  const endpoint = await sender.open(url);
  try {
    return await endpoint.post(Object.fromEntries(lowerCase), body, signal);
  } finally {
    endpoint.close();
  }
}

/** Deletes a subscription that has ended. Retries if the push service may accept the message later. */
async function settle(
  deps: SendPushDependencies,
  job: Jobs['send-push'],
  subscription: Subscription,
  result: SendResult,
): Promise<void> {
  const { db, log, onAttempt } = deps;
  const { kind, sessionId } = job;
  const { endpoint, failing_since: failingSince } = subscription;
  const outcome = toOutcome(result);
  onAttempt?.(outcome);
  if (outcome === 'delivered') {
    if (failingSince) await setFailingSince(db, subscription, null);
    return;
  }
  const { kind: _, ...details } = result;
  log.warn({ sessionId, kind, outcome, ...details }, 'notification failed');
  if (outcome === 'gone') {
    await db
      .deleteFrom('push_subscriptions')
      .where('session_id', '=', sessionId)
      // The browser may have subscribed again since.
      .where('endpoint', '=', endpoint)
      .execute();
  }
  if (outcome === 'retried') {
    await postpone(deps, job, subscription, 'the push service did not accept the message');
  }
}

/**
 * Postpones a message, unless it is too late or its subscription has been failing for too long.
 * @throws JobPostponed
 */
async function postpone(
  { db, log, now }: SendPushDependencies,
  { kind, sessionId, at }: Jobs['send-push'],
  subscription: Subscription,
  reason: string,
): Promise<void> {
  const time = now();
  const { failing_since: failingSince } = subscription;
  if (!failingSince) await setFailingSince(db, subscription, time);
  const hasFailedForLong = failingSince && time.getTime() - failingSince.getTime() > failingMs;
  const isLate =
    kind === 'transcript' && time.getTime() - new Date(at).getTime() > transcriptRetryMs;
  if (!hasFailedForLong && !isLate) throw new JobPostponed(reason);
  log.warn({ sessionId, kind, reason }, 'notification given up');
}

async function setFailingSince(
  db: Database,
  { session_id: sessionId, endpoint }: Subscription,
  time: Date | null,
): Promise<void> {
  await db
    .updateTable('push_subscriptions')
    .set({ failing_since: time })
    .where('session_id', '=', sessionId)
    .where('endpoint', '=', endpoint)
    .execute();
}

/** True if there was no response, and only the service can be the reason. */
const isUnreachable = (result: SendResult): boolean =>
  result.kind === 'failed' && result.failure !== 'forbidden';

function toOutcome(result: SendResult): PushOutcome {
  if (result.kind !== 'responded') {
    return result.kind === 'failed' && result.failure === 'forbidden' ? 'refused' : 'retried';
  }
  const { status } = result;
  if (status >= 200 && status < 300) return 'delivered';
  if (goneStatuses.has(status)) return 'gone';
  return status === 429 || status >= 500 ? 'retried' : 'refused';
}
