import { CallSpeakers } from '@linnet/audio/call';
import { divideTranscript } from '../modules/task/range.ts';
import { SpeakerFailure } from '../providers/speakers/port.ts';
import { assignCallSpeakers, keepSpeakers } from '../transcript/speakers.ts';
import { audioPath } from './decode.ts';
import type { Step, StepContext } from './step.ts';

/**
 * Separates the speakers, by audio levels for a call, and by diarization, if available, for other recordings. In a range,
 * they are those of the paragraphs that are replaced.
 */
export const speakers: Step<'speakers'> = {
  name: 'speakers',
  share: 8,

  async run(context, { recognise }, onProgress, signal) {
    const { db, diarizer, task, log } = context;
    if (task.range) {
      const { replaced } = await divideTranscript(db, task.range);
      return { turns: null, labels: keepSpeakers(recognise.words, replaced) };
    }
    const levels = await fetchCallLevels(context);
    if (levels) {
      const call = new CallSpeakers(levels);
      return { turns: null, labels: assignCallSpeakers(recognise.words, call) };
    }
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

async function fetchCallLevels({ db, recording }: StepContext): Promise<Buffer | null> {
  const row = await db
    .selectFrom('call_levels')
    .select('levels')
    .where('recording_id', '=', recording.id)
    .executeTakeFirst();
  return row?.levels ?? null;
}
