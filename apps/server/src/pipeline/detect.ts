import { VoiceFailure } from '../providers/voice/port.ts';
import { audioPath } from './decode.ts';
import type { Step } from './step.ts';
import { TaskEnd } from './step.ts';

/** Detects speech segments. Audio without any speech never reaches recognition. */
export const detect: Step<'detect'> = {
  name: 'detect',
  share: 4,

  async run(context, _inputs, onProgress, signal) {
    const { detector, task, log } = context;
    if (!detector) return { stretches: null };
    try {
      const stretches = await detector.detect({ path: audioPath(context), signal, onProgress });
      if (stretches.length === 0) throw new TaskEnd('noSpeech');
      return { stretches };
    } catch (error) {
      if (!(error instanceof VoiceFailure) || error.code === 'aborted') throw error;
      // Without segments, the recognizer processes the whole recording.
      log.warn({ taskId: task.id, reason: error.message }, 'speech detection failed');
      return { stretches: null };
    }
  },
};
