/** Times of deliveries. The retries follow the example of the Standard Webhooks specification. */
import { dayMs } from '../../calendar.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Delays before the second and later attempts, from https://github.com/standard-webhooks/standard-webhooks. */
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

/** The longest part by which a delay is extended at random, so that retries of many messages are spread. */
const jitter = 0.1;
/** Maximum delay that a receiver can request with `Retry-After`. */
const maxRetryAfterMs = dayMs;

/** Time without edits of a recording after which one event tells of all of them, and the longest time until then. */
export const editQuietMs = minuteMs;
export const editMaxMs = 10 * minuteMs;

/** Time after which a webhook is disabled if every attempt has failed. */
export const failingMs = 5 * dayMs;

/**
 * Returns the delay in milliseconds before the next attempt; null after the last one.
 * @param tries number of failed attempts
 * @param retryAfterSeconds what the receiver requested, if anything
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
