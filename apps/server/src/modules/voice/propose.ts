import { cosine, meanVector } from '../../providers/speakers/vectors.ts';

/**
 * Minimum cosine similarity for proposing a voice's name. This is the threshold for speaker identification in the
 * engine's example with the same model (sherpa-onnx, `nodejs-addon-examples/test_speaker_identification.js`).
 */
const minSimilarity = 0.6;

/** A speaker's voice in one recording. */
export interface SpeakerVoice {
  readonly recordingId: string;
  /** The speaker's label in the transcript. */
  readonly speaker: string;
  readonly model: string;
  /** A unit vector. */
  readonly embedding: Float32Array;
  /** The speaker's name, or null if the speaker is unnamed. */
  readonly name: string | null;
  /** True if the user has already decided on the name: named the speaker, removed the name, or dismissed a proposal. */
  readonly isAnswered: boolean;
  /** The names of all speakers in the recording, including speakers without a stored voice. */
  readonly namesInRecording: readonly string[];
}

/** Proposed names, keyed by speaker label. */
export type Proposals = Readonly<Record<string, string>>;

/**
 * Proposes names for unnamed speakers by comparing their voices with those of named speakers. A voice is the mean of
 * all embeddings with the same name. Embeddings from different models are never compared. In each recording, a name is
 * proposed at most once, and not at all if a speaker already has it.
 * @returns the proposals, keyed by recording ID
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
    const recordingProposals = proposals.get(recordingId) ?? {};
    if (
      Object.hasOwn(recordingProposals, label) ||
      Object.values(recordingProposals).includes(name)
    )
      continue;
    proposals.set(recordingId, { ...recordingProposals, [label]: name });
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
