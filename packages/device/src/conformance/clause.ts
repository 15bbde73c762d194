/** The definition of a clause. */
import type { Bench } from './bench.ts';

/** A statement of `PROTOCOL.md` that a check can verify. */
export interface Clause {
  /** Stable name, for scripts. */
  readonly id: string;
  /** Anchor of the section of `PROTOCOL.md` that contains it. */
  readonly section: string;
  /** The behavior of a recorder that keeps it. */
  readonly title: string;
  /** An optional clause concerns a function that a recorder may leave out, or a recommendation. */
  readonly requires: 'required' | 'optional';
  /** Returns if the clause is kept. @throws {Broken | NotOffered | NotTested} */
  check(bench: Bench): Promise<void>;
}
