/** The operation that wrote a register's current value. */
export interface RegisterWrite {
  readonly rev: number;
  /** The latest revision that the writer had seen. */
  readonly base_rev: number;
  /** The effective time, never earlier than that of a value the writer had seen and replaced. */
  readonly at: Date;
  /** The time on the writer's clock, clamped to the present. */
  readonly own_at: Date;
}

/** Lower bound of times, for clocks that were never set. */
const earliestTime = 0;

/**
 * Decides whether an operation replaces a register's value, and determines the operation's effective time.
 *
 * If the writer had seen the current value (`base_rev` includes it), the operation replaces it. Its effective time is
 * raised to that of the replaced value if the phone's clock is behind. Otherwise the two edits are concurrent: the
 * later one wins, and if their times are equal, the one received last. A clock that is ahead is no advantage, because
 * times are clamped to the present.
 *
 * If the writer had seen everything that the last writer had seen (typically because both edits were made on the same
 * phone), the operation also wins over the values that caused the last edit's effective time to be raised. To decide
 * this, the times on the two writers' clocks are compared, and the operation's time is raised in the same way.
 *
 * @param last the operation that wrote the current value; null if there is none
 */
export function resolveConflict(
  last: RegisterWrite | null,
  op: { readonly base_rev: number; readonly at: Date },
  now: Date,
): { readonly replaces: boolean } & Pick<RegisterWrite, 'at' | 'own_at'> {
  const own_at = new Date(Math.max(earliestTime, Math.min(op.at.getTime(), now.getTime())));
  if (last === null) return { replaces: true, at: own_at, own_at };
  const raised = own_at > last.at ? own_at : last.at;
  if (op.base_rev >= last.rev) return { replaces: true, at: raised, own_at };
  if (op.base_rev < last.base_rev) return { replaces: own_at >= last.at, at: own_at, own_at };
  const replaces = own_at >= last.own_at;
  return { replaces, at: replaces ? raised : own_at, own_at };
}
