/** The lock held by the active tab, and the channel on which others ask for it. */
const LEAD = 'linnet-lead';
const STEP_BACK = 'step-back';

/** Time in milliseconds for a tab to release the lock; a tab frozen by the browser never responds. */
const PATIENCE_MS = 3000;

/**
 * Time in milliseconds before a wait is reported: a page that was just left or reloaded releases the lock
 * within it. It may take longer on a slow phone, which is then simply waited for.
 */
const UNLOAD_MS = 1000;

/** The lock over the on-device database. Only one tab holds it, because the files can be open only once. */
export type TabLock = {
  /**
   * Waits until the lock is free, or a tab requests it: this one by `take`, or another.
   * @param onBusy called when another tab holds it and does not release it immediately
   * @returns false if another tab requests it in the meantime
   */
  wait(onBusy: () => void): Promise<boolean>;
  /** Asks the holding tab to release the lock. */
  take(): Promise<boolean>;
};

/**
 * @param onLost called when another tab takes the lock; this tab must stop using the database. The lock is
 *   released when the promise settles.
 */
export function createTabLock(onLost: () => Promise<void>): TabLock {
  const channel = new BroadcastChannel(LEAD);
  let letGo: (() => void) | null = null;
  let waiting: AbortController | null = null;

  async function stepBack(): Promise<void> {
    const release = letGo;
    letGo = null;
    if (release) await onLost().finally(release);
  }
  channel.addEventListener('message', ({ data }) => {
    if (data !== STEP_BACK) return;
    // A tab that is already waiting would otherwise be granted the lock first.
    waiting?.abort();
    void stepBack();
  });

  /** Requests the lock and holds it until another tab asks for it, or this one is closed. */
  const request = (options: LockOptions) =>
    new Promise<boolean>((resolve, reject) => {
      navigator.locks
        .request(LEAD, options, (lock) => {
          // Stopped waiting just as it was granted, so it is released.
          const isHad = lock !== null && !options.signal?.aborted;
          resolve(isHad);
          return isHad ? new Promise<void>((done) => (letGo = done)) : null;
        })
        // Also rejects when another tab stole the lock.
        .catch((error: unknown) => (letGo ? void stepBack() : reject(error)));
    });

  /** Waits for the lock, at most `ms` milliseconds. */
  async function within(ms: number): Promise<boolean> {
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
      const patience = setTimeout(onBusy, UNLOAD_MS);
      try {
        if (await request({ signal })) return true;
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        clearTimeout(patience);
        waiting = null;
      }
      onBusy();
      return false;
    },
    async take() {
      waiting?.abort();
      channel.postMessage(STEP_BACK);
      return (await within(PATIENCE_MS)) || request({ steal: true });
    },
  };
}
