import { CallSpeakers } from '@linnet/audio/call';
import { divideTranscript } from '../modules/task/range.ts';
import { findVoiceConsent } from '../modules/voice/voices.ts';
import type { SpeakerDiarizer, SpeakerTurn } from '../providers/speakers/port.ts';
import { SpeakerFailure } from '../providers/speakers/port.ts';
import { vectorToBytes } from '../providers/speakers/vectors.ts';
import { assignCallSpeakers, keepSpeakers } from '../transcript/speakers.ts';
import { audioPath } from './decode.ts';
import type { Step, StepContext, StepOutputs } from './step.ts';

/**
 * Separates the speakers: in a call by the audio levels of its two sides, in other recordings by diarization, if
 * available. In a range, the words get the speakers of the paragraphs that they replace.
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
      const turns = await diarizer.diarize({ path: audioPath(context), signal, onProgress });
      return { turns, ...(await embedVoices(context, diarizer, turns, signal)) };
    } catch (error) {
      if (!(error instanceof SpeakerFailure) || error.code === 'aborted') throw error;
      log.warn({ taskId: task.id, reason: error.message }, 'speaker diarization failed');
      return { turns: null };
    }
  },
};

/**
 * Computes voice embeddings of the speakers, if the account has consented to storing them. Failures aren't fatal: the
 * turns are still used.
 */
async function embedVoices(
  context: StepContext,
  diarizer: SpeakerDiarizer,
  turns: readonly SpeakerTurn[],
  signal: AbortSignal,
): Promise<Pick<StepOutputs['speakers'], 'voices'>> {
  const { db, task, log } = context;
  const consent = await findVoiceConsent(db, task.account_id);
  if (consent === null) return {};
  try {
    const { model, embeddings } = await diarizer.embed({ path: audioPath(context), turns, signal });
    return {
      voices: {
        consent,
        model,
        embeddings: embeddings.map(({ speaker, embedding }) => {
          return { speaker, embedding: vectorToBytes(embedding).toString('base64') };
        }),
      },
    };
  } catch (error) {
    if (!(error instanceof SpeakerFailure) || error.code === 'aborted') throw error;
    log.warn({ taskId: task.id, reason: error.message }, 'speaker embedding failed');
    return {};
  }
}

async function fetchCallLevels({ db, recording }: StepContext): Promise<Buffer | null> {
  const row = await db
    .selectFrom('call_levels')
    .select('levels')
    .where('recording_id', '=', recording.id)
    .executeTakeFirst();
  return row?.levels ?? null;
}
