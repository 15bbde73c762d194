/** Pauses sending to unreachable push services, so that their messages don't delay the messages of others. */

/** The first and the longest pause, in milliseconds. Each failure after a pause doubles the next pause. */
const firstPauseMs = 30_000;
const maxPauseMs = 300_000;
/** Maximum number of tracked services. The oldest failures are forgotten first. */
const maxCount = 1000;

interface Pause {
  readonly ms: number;
  readonly until: Date;
}

/**
 * An attempt to reach a service. An attempt without a result changes nothing, except that it may have extended a pause.
 */
export interface Attempt {
  succeeded(): void;
  failed(): void;
}

export interface Pauses {
  /**
   * Starts an attempt, unless the service is paused. After a pause, only one attempt at a time checks whether the
   * service is reachable again.
   * @param url a URL at the service
   * @returns null during a pause
   */
  begin(url: string): Attempt | null;
}

/** Creates the pauses of one worker. They aren't stored. */
export function createPauses(now: () => Date): Pauses {
  const pauses = new Map<string, Pause>();

  function pause(service: string, ms: number): void {
    // Reinsert at the end of the map, as the latest.
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
      const current = pauses.get(service);
      return {
        succeeded: () => void pauses.delete(service),
        failed() {
          // Of concurrent attempts, only the first failure counts.
          if (pauses.get(service) !== current) return;
          pause(service, current ? Math.min(maxPauseMs, current.ms * 2) : firstPauseMs);
        },
      };
    },
  };
}
