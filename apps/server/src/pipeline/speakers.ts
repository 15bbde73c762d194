import { SpeakerFailure } from '../providers/speakers/port.ts';
import { audioPath } from './decode.ts';
import type { Step } from './step.ts';

/** The step that separates the speakers, where diarization is available. */
export const speakers: Step<'speakers'> = {
  name: 'speakers',
  share: 8,

  async run(context, _inputs, onProgress, signal) {
    const { diarizer, task, log } = context;
    if (!diarizer || !(await diarizer.isReady())) return { turns: null };
    try {
      return { turns: await diarizer.diarize({ path: audioPath(context), signal, onProgress }) };
    } catch (error) {
      if (!(error instanceof SpeakerFailure) || error.code === 'aborted') throw error;
      log.warn({ taskId: task.id, reason: error.message }, 'speaker diarization failed');
      return { turns: null };
    }
  },
};
