/** Plays histories, and shortens histories that violate an invariant. */
import type { Action } from './actions.ts';
import { findViolations, type Violation } from './invariants.ts';
import type { Tamper } from './phone-app.ts';
import { StuckError, settle } from './settle.ts';
import { type Stage, World } from './world.ts';

/** Called with a history's world before its first action, for example to tamper with the database. */
export type Prepare = (world: World) => Promise<void>;

export type PlayOptions = {
  readonly tamper?: Tamper;
  readonly prepare?: Prepare;
  /** How long work may take to complete after the faults end, in milliseconds. */
  readonly limitMs?: number;
};

/** Maximum number of plays to shorten one history. */
const SHRINK_PLAYS = 20;

/** Plays a history until it violates an invariant or ends. Settles at the end. */
export async function play(
  stage: Stage,
  actions: readonly Action[],
  { tamper, prepare, limitMs }: PlayOptions = {},
): Promise<readonly Violation[]> {
  const world = await World.create(stage, tamper);
  try {
    await prepare?.(world);
    const settled: readonly Action[] =
      actions.at(-1)?.do === 'settle' ? actions : [...actions, { do: 'settle' }];
    for (const action of settled) {
      if (action.do !== 'settle') {
        await world.perform(action);
        continue;
      }
      try {
        await settle(world, limitMs);
      } catch (error) {
        if (!(error instanceof StuckError)) throw error;
        const stuck: Violation = {
          ...{ invariant: 'nothing is stuck', effect: 'stuck', message: error.message },
        };
        return [stuck, ...(await findViolations(world))];
      }
      const violations = await findViolations(world);
      if (violations.length > 0) return violations;
    }
    return [];
  } finally {
    await world.close();
  }
}

/**
 * Finds a shorter history that still violates an invariant, by leaving out ever smaller parts.
 * @param deadline when to stop starting new plays, in milliseconds since the epoch
 * @returns the shortest history found
 */
export async function shrink(
  actions: readonly Action[],
  isViolating: (actions: readonly Action[]) => Promise<boolean>,
  deadline: number,
): Promise<readonly Action[]> {
  let shortest = actions;
  let plays = 0;
  for (let size = Math.ceil(actions.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let offset = 0; offset < shortest.length && plays < SHRINK_PLAYS; ) {
      if (Date.now() > deadline) return shortest;
      const shorter = shortest.filter((_, index) => index < offset || index >= offset + size);
      plays += 1;
      if (await isViolating(shorter)) shortest = shorter;
      else offset += size;
    }
  }
  return shortest;
}
