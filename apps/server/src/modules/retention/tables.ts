import type { RetentionPause, RetentionUnit } from '@linnet/contract/retention';
import type { Generated } from 'kysely';

/** Tables for retention rules. */
export interface RetentionTables {
  /** Rules that move old recordings to the recycle bin. */
  retention_rules: {
    id: string;
    account_id: string;
    /** The tag of the recordings, or null for all recordings. */
    tag: string | null;
    /** The age at which recordings are moved. */
    after: number;
    unit: RetentionUnit;
    created_at: Date;
    /** When the rule may first move recordings. */
    acts_at: Date;
    /** Why the rule waits for the user's confirmation, or null if it doesn't. */
    paused: RetentionPause | null;
  };
  /** Runs of rules that moved recordings, each with a copy of its rule. */
  retention_runs: {
    id: string;
    account_id: string;
    tag: string | null;
    after: number;
    unit: RetentionUnit;
    started_at: Date;
    /** Number of recordings that the run moved, including recordings deleted since. */
    move_count: Generated<number>;
  };
  /** Recordings that a run moved to the recycle bin. A recording is still there if its `binned_at` is unchanged. */
  retention_moves: { run_id: string; recording_id: string; binned_at: Date };
  /** At most one row: when the rules last ran, according to the database's clock. */
  retention_clock: { id: Generated<boolean>; ran_at: Date };
}
