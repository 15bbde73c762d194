/** Waiting for the owner, who confirms a bind on the recorder. */
import type { Clock } from '../clock.ts';
import { DeviceError } from '../errors.ts';
import type { Link } from './link.ts';
import { BIND_CONFIRM_MS, BIND_GRACE_MS } from './timing.ts';

/**
 * Asks the recorder to bind, and waits while it asks its owner.
 * @param ask what begins it @param mustWait whether the owner has to confirm what came of that
 * @returns what came of asking
 * @throws {DeviceError} `bind_refused`, `timeout`, `link_lost`, `aborted`, or what `ask` rejects with
 */
export async function confirmedByOwner<T>(
  link: Link,
  clock: Clock,
  signal: AbortSignal | undefined,
  ask: () => Promise<T>,
  mustWait: (asked: T) => boolean,
): Promise<T> {
  const confirmed = Promise.withResolvers<void>();
  // Awaited only if the recorder asks its owner; until then a failure must not go unhandled.
  confirmed.promise.catch(() => undefined);
  const onAbort = () => confirmed.reject(new DeviceError('aborted', { cause: signal?.reason }));
  const stop = [
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
    const asked = await ask();
    if (mustWait(asked)) await confirmed.promise;
    return asked;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    for (const end of stop) end();
  }
}
