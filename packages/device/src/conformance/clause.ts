/** The definition of a clause. */
import type { Bench } from './bench.ts';

/** A statement of `PROTOCOL.md` that a check can verify. */
export interface Clause {
  /** A stable name for scripts. */
  readonly id: string;
  /** The anchor of the section in `PROTOCOL.md`. */
  readonly section: string;
  /** The expected behavior, with the recorder as the subject. */
  readonly title: string;
  /** Optional clauses cover recommendations and functions that a recorder may lack. */
  readonly requires: 'required' | 'optional';
  /** Resolves if the recorder complies with the clause. @throws {Broken | NotOffered | NotTested} */
  check(bench: Bench): Promise<void>;
}
