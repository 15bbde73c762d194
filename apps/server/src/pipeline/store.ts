import { CallError } from '../http/failure.ts';
import type { Step } from './step.ts';
import { TaskEnd } from './step.ts';

/** Stores the transcript from all outputs, and charges for it in the transaction that ends the task. */
export const store: Step<'store'> = {
  name: 'store',
  share: 1,

  async run({ task, outcomes }, inputs) {
    const { decode, recognise, paragraphs, analyse } = inputs;
    try {
      await outcomes.succeed(task.id, {
        seconds: decode.seconds,
        peaks: decode.peaks ?? '',
        engine: recognise.engine,
        language: recognise.language,
        paragraphs: paragraphs.paragraphs,
        analysis: analyse.analysis,
        summaryFailure: analyse.failure,
        mindMap: inputs['mind-map'].nodes,
      });
      return {};
    } catch (error) {
      const isUnpaid = error instanceof CallError && error.reason === 'notEnoughMinutes';
      throw isUnpaid ? new TaskEnd('notEnoughMinutes', error) : error;
    }
  },
};
