/** The verdicts on a recorder's clauses, and the errors that end a check early. */
import { RESULTS } from '../codec/index.ts';

/** A recorder's compliance with a clause of `PROTOCOL.md`. */
export type Verdict =
  | { readonly status: 'kept' }
  | { readonly status: 'broken'; readonly expected: string; readonly received: string }
  /** The recorder doesn't support an optional function. */
  | { readonly status: 'notOffered'; readonly reason: string }
  /** The clause couldn't be checked, for example because a clause that it depends on is broken. */
  | { readonly status: 'notTested'; readonly reason: string };

/** Ends a check: the recorder did something other than `expected`. */
export class Broken extends Error {
  override readonly name = 'Broken';
  readonly expected: string;
  readonly received: string;

  constructor(expected: string, received: string) {
    super(`expected ${expected}, received ${received}`);
    this.expected = expected;
    this.received = received;
  }
}

/** Ends a check: the recorder doesn't support an optional function. The message is the reason. */
export class NotOffered extends Error {
  override readonly name = 'NotOffered';
}

/** Ends a check that isn't possible. The message is the reason. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
}

/** Runs a check. @returns its verdict; rejects with any other error */
export async function runCheck(check: () => Promise<void>): Promise<Verdict> {
  try {
    await check();
    return { status: 'kept' };
  } catch (error) {
    if (error instanceof Broken) {
      return { status: 'broken', expected: error.expected, received: error.received };
    }
    if (error instanceof NotOffered) return { status: 'notOffered', reason: error.message };
    if (error instanceof NotTested) return { status: 'notTested', reason: error.message };
    throw error;
  }
}

/** Throws {@link Broken} if the values differ. @param subject the compared value, such as "the session's size" */
export function expectEqual(
  subject: string,
  received: string | number | boolean,
  expected: string | number | boolean,
): void {
  if (received !== expected) throw new Broken(`${subject}: ${expected}`, String(received));
}

/** Throws {@link Broken} unless the condition holds. */
export function expectThat(condition: boolean, expected: string, received: string): void {
  if (!condition) throw new Broken(expected, received);
}

/** Formats a result with its name, such as `34 (out_of_order)`. */
export function formatResult(result: number): string {
  const name = Object.entries(RESULTS).find(([, number]) => number === result)?.[0];
  return `result ${result}${name ? ` (${name})` : ''}`;
}
