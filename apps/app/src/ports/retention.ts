import type {
  AffectedRecording,
  CallBody,
  CallData,
  RetentionRule,
  RetentionRun,
} from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Page } from './membership.ts';
import type { Outcome } from './store.ts';

/** The recordings that a rule applies to: their tag (null for all) and their minimum age. */
export type RuleScope = Pick<RetentionRule, 'tag' | 'after' | 'unit'>;
export type RetentionPreview = CallData<'retention/preview'>;

/** Rules that make the server move old recordings to the recycle bin. Calls need a connection. */
export type RetentionService = {
  /** Lists the rules, oldest first. */
  list(): Promise<Outcome<readonly RetentionRule[], CallFailure>>;
  /** Returns the recordings that a rule would move now. @param page page number, starting at 1 */
  preview(rule: RuleScope, page: number): Promise<Outcome<RetentionPreview, CallFailure>>;
  /** Creates a rule, or changes or confirms the rule with the given `id`. */
  save(rule: CallBody<'retention/save'>): Promise<Outcome<RetentionRule, CallFailure>>;
  remove(id: string): Promise<Outcome<null, CallFailure>>;
  /** Lists the runs of all rules, latest first. @param page page number, starting at 1 */
  runs(page: number): Promise<Outcome<Page<RetentionRun>, CallFailure>>;
  /** Lists the recordings that a run moved, oldest first. @param page page number, starting at 1 */
  moved(runId: string, page: number): Promise<Outcome<Page<AffectedRecording>, CallFailure>>;
  /** Restores the recordings of a run from the recycle bin. @returns the number restored */
  undo(runId: string): Promise<Outcome<number, CallFailure>>;
};
