/** Plays a history and explains its violations. */
import { type Action, history } from './actions.ts';
import type { Violation } from './invariants.ts';
import type { Mutation } from './mutations.ts';
import { type PlayOptions, play, shrink } from './play.ts';
import type { FaultTable } from './report.ts';
import type { Stages } from './stages.ts';

/** Timeout after which a history that can't settle is checked, in milliseconds. */
const ENDLESS_LIMIT_MS = 20_000;
/** Time limit for shortening a history, in milliseconds. */
const SHRINK_LIMIT_MS = 600_000;

/** Resources shared by the trials of a run. */
export type TrialResources = { readonly stages: Stages; readonly table: FaultTable };

/** A history, and the command that replays it. */
export type Trial = { readonly actions: readonly Action[]; readonly replay: string };

export const seedTrial = (seed: number): Trial => ({
  actions: history(seed),
  replay: `npm run test:faults -- --seed ${seed}`,
});

const describeViolations = (violations: readonly Violation[]) =>
  violations.map(({ invariant, message }) => `${invariant}: ${message}`).join('\n');

/**
 * Plays a history. If it violates an invariant, prints the violations and shortens the history.
 * @returns the violations and the shortest failing history, or null if there are no violations
 */
export async function tryHistory(
  { stages, table }: TrialResources,
  { actions, replay }: Trial,
): Promise<string | null> {
  const stage = await stages.next();
  let violations: readonly Violation[];
  try {
    violations = await play(stage, actions);
  } catch (error) {
    if (!stage.signal.aborted) console.error(`Replay it with: ${replay}`);
    throw error;
  }
  table.add(actions, violations);
  if (violations.length === 0) return null;
  const foundInvariants = new Set(violations.map(({ invariant }) => invariant));
  const explanation = `${describeViolations(violations)}\nReplay it with: ${replay}`;
  console.error(explanation);
  const shortest = await shrink(
    actions,
    async (shorter) => {
      const repeatedViolations = await playShortened(stages, shorter);
      return repeatedViolations.some(({ invariant }) => foundInvariants.has(invariant));
    },
    Date.now() + SHRINK_LIMIT_MS,
  );
  const steps = shortest.map((action) => JSON.stringify(action)).join('\n');
  return `${explanation}\nShortest history found:\n${steps}`;
}

/**
 * Plays a shortened history. If it can't be played, for example because it would wait forever, it counts as passing.
 */
async function playShortened(
  stages: Stages,
  actions: readonly Action[],
): Promise<readonly Violation[]> {
  const stage = await stages.next();
  try {
    return await play(stage, actions, { limitMs: ENDLESS_LIMIT_MS });
  } catch (error) {
    stage.signal.throwIfAborted();
    console.error('A shortened history failed:', error);
    return [];
  }
}

/** Results of histories played without a planted defect. */
export type Controls = Map<string, readonly Violation[]>;

/**
 * Plays a mutation's history with its defect and, once for all mutations that share the history, without it.
 * @returns why the defect wasn't detected, or null if it was
 */
export async function tryMutation(
  { stages }: Pick<TrialResources, 'stages'>,
  { actions, tamper, prepare, expectedViolation, isEndless }: Mutation,
  controls: Controls,
): Promise<string | null> {
  const key = JSON.stringify(actions);
  const controlResult = controls.get(key) ?? (await play(await stages.next(), actions));
  controls.set(key, controlResult);
  if (controlResult.length > 0) return `Without the defect: ${describeViolations(controlResult)}`;
  const options: PlayOptions = {
    ...(tamper && { tamper }),
    ...(prepare && { prepare }),
    ...(isEndless && { limitMs: ENDLESS_LIMIT_MS }),
  };
  const violations = await play(await stages.next(), actions, options);
  if (violations.some(({ invariant }) => invariant === expectedViolation)) return null;
  return `“${expectedViolation}” was not violated. Other violations: ${describeViolations(violations) || 'none'}`;
}
