import type { StorageSettings } from './storage-settings.ts';

export type DueDeletionsOptions = {
  readonly earliestDeletions: StorageSettings['earliestDeletions'];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Deletes the copies that are due by the storage setting. */
  readonly deleteDue: () => void;
};

/** Runs the deletions of the storage setting: at each check, and when the next grace period ends. */
export function createDueDeletions({ earliestDeletions, now, deleteDue }: DueDeletionsOptions): {
  check(): void;
  stop(): void;
} {
  let timer: ReturnType<typeof setTimeout> | undefined;
  function check(): void {
    clearTimeout(timer);
    deleteDue();
    const later = Object.values(earliestDeletions()).filter((at) => at !== null && at > now());
    if (later.length > 0) timer = setTimeout(check, Math.min(...(later as number[])) - now());
  }
  return { check, stop: () => clearTimeout(timer) };
}
