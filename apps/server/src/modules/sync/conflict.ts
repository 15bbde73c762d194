/** The operation that wrote a register's current value. */
export interface RegisterWrite {
  readonly rev: number;
  /** The latest revision that the writer had seen. */
  readonly base_rev: number;
  /** Effective time. Never earlier than the effective time of the value that the writer had seen and replaced. */
  readonly at: Date;
  /** Time on the writer's clock, clamped to the present. */
  readonly own_at: Date;
}

/** Earliest timestamp, in case a clock was never set. */
const earliestTime = 0;

/**
 * Decides whether an operation replaces a register's value, and determines the operation's effective time.
 *
 * If the writer had seen the current value (its revision is at most `base_rev`), the operation replaces it. If the
 * phone's clock is behind, the operation's effective time is raised to that of the replaced value.
 *
 * If the writer hadn't seen the current value, the two edits are concurrent. The later one wins; ties go to the one
 * received last. A fast clock gains no advantage, because times are clamped to the present.
 *
 * There is one exception for concurrent edits. If the writer had also seen everything that the last writer had seen
 * (typically because both edits were made on the same phone), the times on the two writers' own clocks are compared
 * instead. For example, a phone whose clock is slow edits a value dated 12:00, by its own clock at 11:50 and again at
 * 11:51, before it has received the first edit's revision. The effective time of the first edit is raised to 12:00. The
 * second edit still wins, because 11:51 is later than 11:50, and its effective time is raised to 12:00 as well.
 *
 * @param last the operation that wrote the current value, or null if the register was never written
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
