/** Sends requests that the user must confirm on the recorder. */
import type { Clock } from '../clock.ts';
import { DeviceError } from '../errors.ts';
import type { Link } from './link.ts';
import { BIND_CONFIRM_MS, BIND_GRACE_MS } from './timing.ts';

/**
 * Sends a request that the user may have to confirm on the recorder, and waits for the confirmation if so.
 * @param send sends the request
 * @param needsConfirmation returns true if the response asks for a confirmation
 * @returns the response
 * @throws {DeviceError} `bind_refused`, `timeout`, `link_lost`, `aborted`, or any rejection of `send`
 */
export async function requestWithConfirmation<T>(
  link: Link,
  clock: Clock,
  signal: AbortSignal | undefined,
  send: () => Promise<T>,
  needsConfirmation: (response: T) => boolean,
): Promise<T> {
  const confirmed = Promise.withResolvers<void>();
  // The promise is awaited only if a confirmation is needed, so mark an earlier rejection as handled.
  confirmed.promise.catch(() => undefined);
  const onAbort = () => confirmed.reject(new DeviceError('aborted', { cause: signal?.reason }));
  const cleanups = [
    link.onReport((report) => {
      if (report.name !== 'bindChanged') return;
      if (report.value.isBind) confirmed.resolve();
      else confirmed.reject(new DeviceError('bind_refused'));
    }),
    link.onClosed(() => confirmed.reject(new DeviceError('link_lost'))),
    clock.after(BIND_CONFIRM_MS + BIND_GRACE_MS, () =>
      confirmed.reject(new DeviceError('timeout')),
    ),
  ];
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
    const response = await send();
    if (needsConfirmation(response)) await confirmed.promise;
    return response;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    for (const cleanup of cleanups) cleanup();
  }
}
