import { type Clock, systemClock } from '@linnet/device/clock';
import { REQUEST_TIMEOUT_MS, SESSION_LIST_RETRY_MS } from '@linnet/device/session';
import type { PacedClock } from '../paced-clock.ts';

/**
 * A phone whose time passes as fast as the recorder's, so that tests do not wait 300 ms a command. Request
 * time-outs are in real time: a busy machine must not look like a recorder that is silent.
 */
export function phoneClock(clock: PacedClock): Clock {
  return {
    now: () => 1e12 + clock.elapsed(),
    after: (ms, callback) =>
      ms < REQUEST_TIMEOUT_MS ? clock.after(ms, callback) : systemClock.after(ms, callback),
  };
}

/**
 * As {@link phoneClock}, for long transfers: only the pauses between commands and before retries of the list pass at
 * the recorder's speed, all silence is measured in real time. It starts at today's date.
 */
export function commandClock(clock: PacedClock): Clock {
  const start = Date.now() - clock.elapsed();
  return {
    now: () => start + clock.elapsed(),
    after: (ms, callback) =>
      ms <= SESSION_LIST_RETRY_MS ? clock.after(ms, callback) : systemClock.after(ms, callback),
  };
}
