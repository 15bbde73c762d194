/** Pauses of push services that can't be reached, so that their messages don't delay those of others. */

/** The first pause in milliseconds, and the longest. Each failure after a pause doubles the next one. */
const firstPauseMs = 30_000;
const maxPauseMs = 300_000;
/** Maximum number of services. The oldest failures are forgotten first. */
const maxCount = 1000;

interface Pause {
  readonly ms: number;
  readonly until: Date;
}

/** An attempt to reach a service. Without a result, the service stays as it was, apart from a pause that was extended. */
export interface Attempt {
  succeeded(): void;
  failed(): void;
}

export interface Pauses {
  /**
   * Begins an attempt, unless the service is paused. After a pause, one attempt at a time shows whether it is over.
   * @param url an address at the service
   * @returns null during a pause
   */
  begin(url: string): Attempt | null;
}

/** The pauses are those of one worker, and aren't stored. */
export function createPauses(now: () => Date): Pauses {
  const pauses = new Map<string, Pause>();

  function pause(service: string, ms: number): void {
    // At the end of the map, as the latest.
    pauses.delete(service);
    pauses.set(service, { ms, until: new Date(now().getTime() + ms) });
    if (pauses.size <= maxCount) return;
    const [oldest] = pauses.keys();
    if (oldest !== undefined) pauses.delete(oldest);
  }

  return {
    begin(url) {
      const service = new URL(url).origin;
      const known = pauses.get(service);
      if (known && known.until > now()) return null;
      // Other messages wait for the result of this attempt.
      if (known) pause(service, known.ms);
      const begun = pauses.get(service);
      return {
        succeeded: () => void pauses.delete(service),
        failed() {
          // Of concurrent attempts, only the first failure counts.
          if (pauses.get(service) !== begun) return;
          pause(service, begun ? Math.min(maxPauseMs, begun.ms * 2) : firstPauseMs);
        },
      };
    },
  };
}
