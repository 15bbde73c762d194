/** The lock that the one active tab holds, and the channel over which it is asked to step back. */
const LEAD = 'linnet-lead';
const STEP_BACK = 'step-back';

/** Milliseconds a tab has to step back by itself; one that the browser froze never answers. */
const PATIENCE_MS = 3000;

/**
 * Milliseconds that nothing is said of the page before this one, just left or reloaded, which lets go by itself.
 * On a slow phone it may take longer: it is waited for all the same.
 */
const UNLOAD_MS = 1000;

/** The lead over the on-device database: one tab has it, because its files can be open once. */
export type Lead = {
  /**
   * Waits until it is free, however long that is, or a tab asks for it: this one by `take`, or another.
   * @param onBusy called when another tab has it and does not let go at once
   * @returns false when a tab asked for it meanwhile
   */
  wait(onBusy: () => void): Promise<boolean>;
  /** Asks the tab that has it to step back. */
  take(): Promise<boolean>;
};

/**
 * @param onLost called when another tab takes the lead; this tab must stop using the database. The lead
 *   passes on when its promise settles.
 */
export function createLead(onLost: () => Promise<void>): Lead {
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
    // Who waits already comes before who asks now.
    waiting?.abort();
    void stepBack();
  });

  /** Requests the lock and holds it until another tab asks, or this one is closed. */
  const request = (options: LockOptions) =>
    new Promise<boolean>((resolve, reject) => {
      navigator.locks
        .request(LEAD, options, (lock) => {
          // Who stopped waiting just as it was given passes it on.
          const isHad = lock !== null && !options.signal?.aborted;
          resolve(isHad);
          return isHad ? new Promise<void>((done) => (letGo = done)) : null;
        })
        // Rejects here while the lock is held when another tab stole it.
        .catch((error: unknown) => (letGo ? void stepBack() : reject(error)));
    });

  /** Waits for the lock, but no longer than `ms`. */
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
