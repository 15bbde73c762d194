import { type Clock, systemClock } from '@linnet/device/clock';
import { REQUEST_TIMEOUT_MS, SESSION_LIST_RETRY_MS } from '@linnet/device/session';
import type { PacedClock } from '../paced-clock.ts';

/**
 * Creates a phone clock that runs as fast as the recorder's, so tests don't wait 300 ms per command. Request timeouts
 * run in real time, so a slow machine doesn't trigger them.
 */
export function createPhoneClock(clock: PacedClock): Clock {
  return {
    now: () => 1e12 + clock.elapsed(),
    elapsed: () => clock.elapsed(),
    after: (ms, callback) =>
      ms < REQUEST_TIMEOUT_MS ? clock.after(ms, callback) : systemClock.after(ms, callback),
  };
}

/**
 * Creates a clock like {@link createPhoneClock} for long transfers: only command delays and list retries run at the
 * recorder's speed, and silence timeouts run in real time. The clock starts at the current date.
 */
export function createCommandClock(clock: PacedClock): Clock {
  const start = Date.now() - clock.elapsed();
  return {
    now: () => start + clock.elapsed(),
    elapsed: () => clock.elapsed(),
    after: (ms, callback) =>
      ms <= SESSION_LIST_RETRY_MS ? clock.after(ms, callback) : systemClock.after(ms, callback),
  };
}
