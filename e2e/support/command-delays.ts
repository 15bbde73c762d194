import { systemClock } from '@linnet/device/clock';
import { SESSION_LIST_RETRY_MS } from '@linnet/device/session';
import { vi } from 'vitest';

/**
 * Shortens the delays between a phone's commands, for tests of code that opens its sessions itself. Timeouts are longer
 * than these delays and run in real time, so a slow machine doesn't trigger them. Call `vi.restoreAllMocks` afterwards.
 * @param speed the factor by which the delays are divided
 */
export function shortenCommandDelays(speed: number): void {
  const { after } = systemClock;
  vi.spyOn(systemClock, 'elapsed').mockImplementation(() => performance.now() * speed);
  vi.spyOn(systemClock, 'after').mockImplementation((ms, callback) =>
    after(ms <= SESSION_LIST_RETRY_MS ? ms / speed : ms, callback),
  );
}
