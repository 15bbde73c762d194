import { cosine, meanVector } from '../../providers/speakers/vectors.ts';

/**
 * Minimum cosine similarity of a voice and a speaker whose name is proposed. It is the threshold at which the engine's
 * example identifies speakers with the same model (sherpa-onnx, `nodejs-addon-examples/test_speaker_identification.js`).
 */
const minSimilarity = 0.6;

/** The voice of a speaker in a recording. */
export interface SpeakerVoice {
  readonly recordingId: string;
  /** The speaker's label in the transcript. */
  readonly speaker: string;
  readonly model: string;
  /** A unit vector. */
  readonly embedding: Float32Array;
  /** The speaker's name; null if it has none. */
  readonly name: string | null;
  /** Whether the owner has already named the speaker, removed the name, or dismissed a proposal. */
  readonly isAnswered: boolean;
  /** The names of all speakers in the recording, also of those without a voice. */
  readonly namesInRecording: readonly string[];
}

/** Names proposed for speakers, by their labels. */
export type Proposals = Readonly<Record<string, string>>;

/**
 * Proposes names for the unnamed speakers of recordings, from the voices of the named ones. A voice is the mean of all
 * embeddings under its name. Embeddings of different models are never compared. In each recording, a name is proposed
 * once at most, and not at all if a speaker already has it.
 * @returns the proposals of each recording that has any, by its ID
 */
export function proposeNames(speakers: readonly SpeakerVoice[]): ReadonlyMap<string, Proposals> {
  const voices = averageVoices(speakers);
  const matches = speakers
    .filter(({ name, isAnswered }) => name === null && !isAnswered)
    .flatMap((speaker) =>
      voices
        .filter(({ model, name }) => {
          return model === speaker.model && !speaker.namesInRecording.includes(name);
        })
        .map(({ name, mean }) => ({ speaker, name, similarity: cosine(mean, speaker.embedding) })),
    )
    .filter(({ similarity }) => similarity >= minSimilarity)
    .sort((a, b) => b.similarity - a.similarity);
  const proposals = new Map<string, Record<string, string>>();
  for (const { speaker, name } of matches) {
    const { recordingId, speaker: label } = speaker;
    const ofRecording = proposals.get(recordingId) ?? {};
    if (Object.hasOwn(ofRecording, label) || Object.values(ofRecording).includes(name)) continue;
    proposals.set(recordingId, { ...ofRecording, [label]: name });
  }
  return proposals;
}

/** Returns the mean of the embeddings for each name and model. */
function averageVoices(speakers: readonly SpeakerVoice[]) {
  const named = speakers.filter((speaker) => speaker.name !== null);
  const groups = Map.groupBy(named, ({ name, model }) => JSON.stringify([name, model]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || first.name === null) return [];
    const mean = meanVector(group.map(({ embedding }) => embedding));
    return [{ name: first.name, model: first.model, mean }];
  });
}
