import type { RetentionPause, RetentionUnit } from '@linnet/contract/retention';
import type { Generated } from 'kysely';

/** The tables of automatic cleanup. */
export interface RetentionTables {
  /** Rules that move old recordings to the recycle bin. */
  retention_rules: {
    id: string;
    account_id: string;
    /** The tag of the recordings; null for all recordings. */
    tag: string | null;
    /** The age from which recordings are moved. */
    after: number;
    unit: RetentionUnit;
    created_at: Date;
    /** When the rule may move recordings for the first time. */
    acts_at: Date;
    /** Why the rule waits until the owner confirms it; null if it doesn't. */
    paused: RetentionPause | null;
  };
  /** Applications of rules that moved recordings, each with a copy of its rule. */
  retention_runs: {
    id: string;
    account_id: string;
    tag: string | null;
    after: number;
    unit: RetentionUnit;
    started_at: Date;
    /** The number of recordings that were moved, including those that were deleted since. */
    move_count: Generated<number>;
  };
  /** Recordings that a run moved to the recycle bin. They are still there if they have the same `binned_at`. */
  retention_moves: { run_id: string; recording_id: string; binned_at: Date };
  /** At most one row: when the rules were last applied, by the clock of the database. */
  retention_clock: { id: Generated<boolean>; ran_at: Date };
}
