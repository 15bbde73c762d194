/** The lock that the one active tab holds, and the channel over which it is asked to step back. */
const LEAD = 'linnet-lead';
const STEP_BACK = 'step-back';

/** Milliseconds a tab has to step back by itself; one that the browser froze never answers. */
const PATIENCE_MS = 3000;

/** Milliseconds the page before this one, just left or reloaded, may take to let go. */
const UNLOAD_MS = 1000;

/** The lead over the on-device database: one tab has it, because its files can be open once. */
export type Lead = {
  /**
   * @param ask whether to ask the tab that has it to step back; without, only a free lead is taken
   * @returns false when another tab has it
   */
  take(ask: boolean): Promise<boolean>;
};

/**
 * @param onLost called when another tab takes the lead; this tab must stop using the database. The lead
 *   passes on when its promise settles.
 */
export function createLead(onLost: () => Promise<void>): Lead {
  const channel = new BroadcastChannel(LEAD);
  let letGo: (() => void) | null = null;

  async function stepBack(): Promise<void> {
    const release = letGo;
    letGo = null;
    if (release) await onLost().finally(release);
  }
  channel.addEventListener('message', ({ data }) => {
    if (data === STEP_BACK) void stepBack();
  });

  /** Requests the lock and holds it until another tab asks, or this one is closed. */
  const request = (options: LockOptions) =>
    new Promise<boolean>((resolve, reject) => {
      navigator.locks
        .request(LEAD, options, (lock) => {
          resolve(lock !== null);
          return lock && new Promise<void>((done) => (letGo = done));
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
    async take(ask) {
      if (!ask) return within(UNLOAD_MS);
      channel.postMessage(STEP_BACK);
      return (await within(PATIENCE_MS)) || request({ steal: true });
    },
  };
}
