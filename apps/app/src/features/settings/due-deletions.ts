import type { StorageSettings } from './storage-settings.ts';

export type DueDeletionsOptions = {
  readonly earliestDeletions: StorageSettings['earliestDeletions'];
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
  /** Deletes the copies that the storage setting doesn't retain and whose grace period is over. */
  readonly deleteDue: () => void;
};

/** Runs the storage setting's deletions: on every check, and at the end of each grace period. */
export function createDueDeletions({ earliestDeletions, now, deleteDue }: DueDeletionsOptions): {
  check(): void;
  stop(): void;
} {
  let timer: ReturnType<typeof setTimeout> | undefined;
  function check(): void {
    clearTimeout(timer);
    deleteDue();
    const futureTimes = Object.values(earliestDeletions()).filter(
      (time): time is number => time !== null && time > now(),
    );
    if (futureTimes.length > 0) timer = setTimeout(check, Math.min(...futureTimes) - now());
  }
  return { check, stop: () => clearTimeout(timer) };
}
