import type { TaskStep } from '@linnet/contract/structures';
import type { Checkpoints, TaskProgress } from './checkpoints.ts';
import { throttled } from './progress.ts';
import type { StepContext, StepOutputs } from './step.ts';
import { steps } from './steps.ts';

/** Progress is written at most so often. */
const progressMs = 500;
/** How soon it is noticed at the latest that a task was canceled. */
const beatMs = 2_000;

/** A step of the list as the runner sees it: that inputs and outputs fit was checked where it is declared. */
interface AnyStep {
  readonly name: TaskStep;
  readonly share: number;
  run(
    context: StepContext,
    inputs: Partial<StepOutputs>,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<object>;
  readonly file?: {
    readonly neededBy: TaskStep;
    isWhole(context: StepContext, output: object): Promise<boolean>;
  };
}
const all = steps as unknown as readonly AnyStep[];

/**
 * Takes a task through all steps, from the first one without a stored output on. Ends early when the task
 * has ended otherwise meanwhile, or is gone with its recording.
 * @throws TaskEnd; and whatever a step meets that another try may not
 */
export async function runPipeline(
  context: StepContext,
  checkpoints: Checkpoints,
  signal: AbortSignal,
): Promise<void> {
  const { task, log } = context;
  const outputs: Record<string, object> = { ...(await checkpoints.load(task.id)) };
  const gone = new AbortController();
  const either = AbortSignal.any([signal, gone.signal]);
  const progress = throttled(progressMs, async (state: Parameters<Checkpoints['report']>[1]) => {
    try {
      if (!(await checkpoints.report(task.id, state))) gone.abort();
    } catch (error) {
      // Progress is a courtesy: a write that fails is met again by the next query that matters.
      log.warn({ err: error, taskId: task.id }, 'progress was not written');
    }
  });
  let sharesDone = 0;
  let latest: TaskProgress | null = null;
  // Also while a step has nothing to report: a task that was canceled is noticed by what is written.
  const beat = setInterval(() => latest && progress.report(latest), beatMs);
  try {
    for (const step of all) {
      if (!(await isDone(step))) {
        const report = (fraction: number) => {
          latest = {
            step: step.name,
            done: fraction,
            progress: sharesDone + step.share * fraction,
          };
          progress.report(latest);
        };
        report(0);
        const output = await step.run(context, outputs, report, either);
        const kept = await checkpoints.save(task.id, step.name, output);
        if (!kept) return;
        outputs[step.name] = kept;
      }
      sharesDone += step.share;
    }
  } catch (error) {
    if (!gone.signal.aborted || signal.aborted) throw error;
  } finally {
    clearInterval(beat);
    await progress.close();
  }

  /** Whether a step need not run: its output is stored, and its file, where it is still needed, whole. */
  async function isDone({ name, file }: AnyStep): Promise<boolean> {
    const output = outputs[name];
    if (output === undefined) return false;
    if (!file) return true;
    const place = all.findIndex((other) => other.name === file.neededBy);
    const isNeeded = all.slice(0, place + 1).some((other) => outputs[other.name] === undefined);
    return !isNeeded || file.isWhole(context, output);
  }
}
