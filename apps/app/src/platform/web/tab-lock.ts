/**
 * The lock on the on-device database. Only one tab may hold it, because the files can be opened only once. Tabs ask the
 * holder for the lock over a broadcast channel.
 */

/** The name of both the Web Lock and the channel. */
const NAME = 'linnet-lead';
/** The message that asks the holder to release the lock. */
const RELEASE_REQUEST = 'step-back';

/**
 * How long a tab has to release the lock before it is taken away, in milliseconds. A tab frozen by the browser never
 * responds.
 */
const RELEASE_TIMEOUT_MS = 3000;

/**
 * Delay in milliseconds before a wait is reported to the user. A page that is being closed or reloaded usually releases
 * the lock sooner.
 */
const REPORT_AFTER_MS = 1000;

export type TabLock = {
  /**
   * Waits until the lock is free. Stops waiting when any tab calls `take`.
   * @param onBusy called if another tab holds the lock and doesn't release it soon
   * @returns whether this tab has the lock
   */
  wait(onBusy: () => void): Promise<boolean>;
  /** Takes the lock from the tab that holds it. */
  take(): Promise<boolean>;
};

/**
 * @param onLost called when another tab takes the lock. This tab must then stop using the database; the lock is
 * released when the promise settles.
 */
export function createTabLock(onLost: () => Promise<void>): TabLock {
  const channel = new BroadcastChannel(NAME);
  /** Releases the lock; null while this tab doesn't hold it. */
  let releaseLock: (() => void) | null = null;
  /** Cancels the current wait. */
  let waiting: AbortController | null = null;

  async function giveUpLock(): Promise<void> {
    const release = releaseLock;
    releaseLock = null;
    if (release) await onLost().finally(release);
  }
  channel.addEventListener('message', ({ data }) => {
    if (data !== RELEASE_REQUEST) return;
    // Stop waiting; otherwise, this tab would be granted the lock before the requesting tab.
    waiting?.abort();
    void giveUpLock();
  });

  /** Requests the lock and holds it until another tab takes it or this tab is closed. */
  const request = (options: LockOptions) =>
    new Promise<boolean>((resolve, reject) => {
      navigator.locks
        .request(NAME, options, (lock) => {
          // If the signal aborted just before the lock was granted, the lock is released immediately.
          const isHeld = lock !== null && !options.signal?.aborted;
          resolve(isHeld);
          return isHeld ? new Promise<void>((release) => (releaseLock = release)) : null;
        })
        // The promise also rejects if another tab has stolen the lock.
        .catch((error: unknown) => (releaseLock ? void giveUpLock() : reject(error)));
    });

  async function requestWithin(ms: number): Promise<boolean> {
    try {
      return await request({ signal: AbortSignal.timeout(ms) });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') return false;
      throw error;
    }
  }

  return {
    async wait(onBusy) {
      waiting = new AbortController();
      const { signal } = waiting;
      const busyTimer = setTimeout(onBusy, REPORT_AFTER_MS);
      try {
        if (await request({ signal })) return true;
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        clearTimeout(busyTimer);
        waiting = null;
      }
      onBusy();
      return false;
    },
    async take() {
      waiting?.abort();
      channel.postMessage(RELEASE_REQUEST);
      return (await requestWithin(RELEASE_TIMEOUT_MS)) || request({ steal: true });
    },
  };
}
