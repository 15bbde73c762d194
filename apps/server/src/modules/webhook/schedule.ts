/** Schedules deliveries and retries. The retry schedule follows the example in the Standard Webhooks specification. */
import { dayMs } from '../../calendar.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Delays before the second and later attempts. See https://github.com/standard-webhooks/standard-webhooks. */
const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const;

/** Maximum share by which a delay is randomly extended, to spread retries. */
const jitter = 0.1;
/** Maximum delay that a receiver can request with `Retry-After`. */
const maxRetryAfterMs = dayMs;

/** Debounce delay for edits of a recording. An event is sent when there were no further edits for this long. */
export const editQuietMs = minuteMs;
/** Maximum delay of an event if the edits don't stop. */
export const editMaxMs = 10 * minuteMs;

/** Time after which a webhook is disabled if every attempt since has failed. */
export const failingMs = 5 * dayMs;

/**
 * Returns the delay before the next attempt in milliseconds, or null after the last attempt.
 * @param tries number of failed attempts
 * @param retryAfterSeconds the delay requested by the receiver, if any
 * @param random a number from 0 to 1
 */
export function nextDelayMs(
  tries: number,
  retryAfterSeconds: number | null,
  random: number,
): number | null {
  const delay = retryDelaysMs[tries - 1];
  if (delay === undefined) return null;
  const requested = Math.min((retryAfterSeconds ?? 0) * secondMs, maxRetryAfterMs);
  return Math.max(Math.round(delay * (1 + jitter * random)), requested);
}
