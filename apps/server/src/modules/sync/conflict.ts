/** The operation that wrote a register's current value. */
export interface Written {
  readonly rev: number;
  /** The latest revision its writer had seen. */
  readonly base_rev: number;
  /** The effective time: not earlier than that of any value its writer had seen and replaced. */
  readonly at: Date;
  /** The time by the writer's clock, clamped. */
  readonly own_at: Date;
}

/** Lower bound for times. Clocks that were never set report earlier ones. */
const earliest = 0;

/**
 * Decides whether an operation replaces a register's value, and the effective time of the operation.
 *
 * An operation whose writer had seen the current value (`base_rev` includes it) replaces it and gets a time no
 * earlier than that value's, whatever the phone's clock says. Otherwise the two edits are concurrent: the later
 * one wins, and at equal times the one that arrived last. A clock that runs ahead gains nothing, since times are
 * clamped to now.
 *
 * An operation whose writer had seen everything that the last writer had seen (typically the next edit of the same
 * phone) also knows why the last time was raised. Only the two writers' own times are compared then, and its time
 * is raised too.
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
