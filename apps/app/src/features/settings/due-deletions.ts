import type { Keeping } from './keeping.ts';

export type DueDeletionsOptions = {
  readonly deletesFrom: Keeping['deletesFrom'];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Deletes whatever copies are due by the storage setting. */
  readonly deleteDue: () => void;
};

/** Runs deletions by the storage setting: when it is checked, and when the grace of the next place ends. */
export function createDueDeletions({ deletesFrom, now, deleteDue }: DueDeletionsOptions): {
  check(): void;
  stop(): void;
} {
  let timer: ReturnType<typeof setTimeout> | undefined;
  function check(): void {
    clearTimeout(timer);
    deleteDue();
    const later = Object.values(deletesFrom()).filter((at) => at !== null && at > now());
    if (later.length > 0) timer = setTimeout(check, Math.min(...(later as number[])) - now());
  }
  return { check, stop: () => clearTimeout(timer) };
}
