/** The operation that a register's present value comes from. */
export interface Written {
  readonly rev: number;
  readonly at: Date;
}

/** Before this no recorder existed; clocks that were never set say less. */
const earliest = 0;

/**
 * Whether an operation replaces what a register holds, and when it counts as done.
 *
 * Its writer had seen what is there (`base_rev` reaches it): it replaces it, and is later than it,
 * whatever the phone's clock says. Otherwise two changed the same thing without knowing of each other,
 * and the later one stays; of two at the same moment, the one that came last. Clocks that run ahead
 * gain nothing: nothing is done later than now.
 */
export function judge(
  last: Written | null,
  op: { readonly base_rev: number; readonly at: Date },
  now: Date,
): { readonly replaces: boolean; readonly at: Date } {
  const at = new Date(Math.max(earliest, Math.min(op.at.getTime(), now.getTime())));
  if (last === null) return { replaces: true, at };
  if (last.rev <= op.base_rev) return { replaces: true, at: at > last.at ? at : last.at };
  return { replaces: at >= last.at, at };
}
