/** The operation that a register's present value comes from. */
export interface Written {
  readonly rev: number;
  /** The latest revision its writer had seen. */
  readonly base_rev: number;
  /** When it counts as done: not before anything that its writer knowingly replaced. */
  readonly at: Date;
  /** When its writer's clock said that it was done, within bounds. */
  readonly own_at: Date;
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
 *
 * One that had seen all that the last one's writer had (the next edit of the same phone above all) also
 * knows what raised the last one's time: only their own times are compared, and it is raised as well.
 */
export function judge(
  last: Written | null,
  op: { readonly base_rev: number; readonly at: Date },
  now: Date,
): { readonly replaces: boolean } & Pick<Written, 'at' | 'own_at'> {
  const own_at = new Date(Math.max(earliest, Math.min(op.at.getTime(), now.getTime())));
  if (last === null) return { replaces: true, at: own_at, own_at };
  const raised = own_at > last.at ? own_at : last.at;
  if (op.base_rev >= last.rev) return { replaces: true, at: raised, own_at };
  if (op.base_rev < last.base_rev) return { replaces: own_at >= last.at, at: own_at, own_at };
  const replaces = own_at >= last.own_at;
  return { replaces, at: replaces ? raised : own_at, own_at };
}
