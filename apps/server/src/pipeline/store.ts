import { CallError } from '../http/failure.ts';
import type { RecordingVoices } from '../modules/voice/voices.ts';
import { vectorFromBytes } from '../providers/speakers/vectors.ts';
import { speakerLabels } from '../transcript/speakers.ts';
import type { InputsOf, Step } from './step.ts';
import { TaskEnd } from './step.ts';

/** Assembles the transcript from all outputs and stores it. The same transaction ends the task and charges for it. */
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
        ...(!task.range && { analysis: analyse.analysis, summaryFailure: analyse.failure }),
        mindMap: inputs['mind-map'].nodes,
        voices: labeledVoices(inputs),
      });
      return {};
    } catch (error) {
      const isUnpaid = error instanceof CallError && error.reason === 'notEnoughMinutes';
      throw isUnpaid ? new TaskEnd('notEnoughMinutes', error) : error;
    }
  },
};

/** Returns the voices by the transcript's speaker labels. */
function labeledVoices({
  recognise,
  speakers: { turns, voices },
}: InputsOf<'store'>): RecordingVoices | undefined {
  if (!voices || !turns) return undefined;
  const labels = speakerLabels(recognise.words, turns);
  return {
    consent: voices.consent,
    model: voices.model,
    voices: voices.embeddings.flatMap(({ speaker, embedding }) => {
      const label = labels.get(speaker);
      const vector = vectorFromBytes(Buffer.from(embedding, 'base64'));
      return label === undefined ? [] : [{ speaker: label, embedding: vector }];
    }),
  };
}
