import type { TaskStep } from '@linnet/contract/structures';
import { runInSpan } from '../tracing/spans.ts';
import type { Checkpoints, TaskProgress } from './checkpoints.ts';
import { createThrottledProgress } from './progress.ts';
import type { StepContext, StepOutputs } from './step.ts';
import { steps } from './steps.ts';

/** Minimum interval between progress writes, in milliseconds. */
const progressMs = 500;
/** Heartbeat interval in milliseconds: the maximum time until a canceled task is noticed. */
const heartbeatMs = 2_000;

/** A step with erased types. Inputs and outputs are type-checked where the pipeline is declared. */
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
    isComplete(context: StepContext, output: object): Promise<boolean>;
  };
}
const allSteps = steps as unknown as readonly AnyStep[];

/**
 * Runs all steps of a task, starting with the first that has no stored output. Returns early if the task is ended by
 * another process or deleted along with its recording.
 * @throws TaskEnd, and transient failures of a step
 */
export async function runPipeline(
  context: StepContext,
  checkpoints: Checkpoints,
  signal: AbortSignal,
): Promise<void> {
  const { task, log } = context;
  const outputs: Record<string, object> = { ...(await checkpoints.load(task.id)) };
  const endedElsewhere = new AbortController();
  const stopSignal = AbortSignal.any([signal, endedElsewhere.signal]);
  const progress = createThrottledProgress(
    progressMs,
    async (state: Parameters<Checkpoints['report']>[1]) => {
      try {
        if (!(await checkpoints.report(task.id, state))) endedElsewhere.abort();
      } catch (error) {
        // Progress updates are best effort. If the database is down, the next essential query will fail too.
        log.warn({ err: error, taskId: task.id }, 'progress update failed');
      }
    },
  );
  let sharesDone = 0;
  let latest: TaskProgress | null = null;
  // Cancellation is noticed when progress is written, so progress is written even while a step reports none.
  const heartbeat = setInterval(() => latest && progress.report(latest), heartbeatMs);
  try {
    for (const step of allSteps) {
      if (!(await isStepDone(step))) {
        const report = (fraction: number) => {
          latest = {
            step: step.name,
            done: fraction,
            progress: sharesDone + step.share * fraction,
          };
          progress.report(latest);
        };
        report(0);
        const output = await runInSpan(`step ${step.name}`, { 'linnet.step': step.name }, () =>
          step.run(context, outputs, report, stopSignal),
        );
        const stored = await checkpoints.save(task.id, step.name, output);
        if (!stored) return;
        outputs[step.name] = stored;
      }
      sharesDone += step.share;
    }
  } catch (error) {
    if (!endedElsewhere.signal.aborted || signal.aborted) throw error;
  } finally {
    clearInterval(heartbeat);
    await progress.close();
  }

  /** Returns whether the step can be skipped: its output is stored and its file, if still needed, is complete. */
  async function isStepDone({ name, file }: AnyStep): Promise<boolean> {
    const output = outputs[name];
    if (output === undefined) return false;
    if (!file) return true;
    const lastUse = allSteps.findIndex((otherStep) => otherStep.name === file.neededBy);
    const isNeeded = allSteps
      .slice(0, lastUse + 1)
      .some((otherStep) => outputs[otherStep.name] === undefined);
    return !isNeeded || file.isComplete(context, output);
  }
}
