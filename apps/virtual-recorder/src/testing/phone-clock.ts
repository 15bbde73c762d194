import { type Clock, systemClock } from '@linnet/device/clock';
import { REQUEST_TIMEOUT_MS } from '@linnet/device/session';
import type { PacedClock } from '../paced-clock.ts';

/**
 * A phone whose time passes as fast as the recorder's, so that tests do not wait 300 ms a command. How long
 * it waits for an answer is real: what a busy machine does meanwhile must not look like silence.
 */
export function phoneClock(clock: PacedClock): Clock {
  return {
    now: () => 1e12 + clock.elapsed(),
    after: (ms, callback) =>
      ms < REQUEST_TIMEOUT_MS ? clock.after(ms, callback) : systemClock.after(ms, callback),
  };
}
