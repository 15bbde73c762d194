/**
 * The models that `MODELS=auto` downloads, by memory and languages. docs/decisions/0032-recommended-models.md explains
 * the choice.
 */
import type { Bcp47 } from '@linnet/contract/languages';

/** Groups of languages covered by the same models. */
export const modelSets = ['european', 'east-asian', 'all'] as const;
export type ModelSet = (typeof modelSets)[number];

interface Tier {
  /** Minimum memory of the machine in GiB. */
  readonly gibibytes: number;
  readonly recognition: Readonly<Record<ModelSet, readonly string[]>>;
  /** Whether to include the models for distinguishing speakers. */
  readonly speakers: boolean;
}

const parakeet = 'parakeet-tdt-0.6b-v3-int8';
const senseVoice = 'sense-voice-int8';
const qwen = 'qwen3-asr-0.6b-int8';
const whisper = 'whisper-small-int8';

/** Recommended models, by memory in descending order. Smaller machines use PocketSphinx. */
const tiers: readonly Tier[] = [
  {
    gibibytes: 8,
    recognition: {
      european: [parakeet],
      'east-asian': [senseVoice],
      all: [parakeet, senseVoice, qwen],
    },
    speakers: true,
  },
  {
    gibibytes: 4,
    recognition: {
      european: [parakeet],
      'east-asian': [senseVoice],
      all: [parakeet, senseVoice, whisper],
    },
    speakers: true,
  },
  {
    gibibytes: 2,
    recognition: { european: [whisper], 'east-asian': [senseVoice], all: [whisper] },
    speakers: false,
  },
];

const voice = 'silero-vad';
const speakers = ['pyannote-segmentation-3-0', 'eres2net-base'];

/** Memory in GiB used by the kernel and firmware: a machine sold with 4 GB reports 3.7 to 3.9 GiB. */
const KEPT_GIB = 0.4;

/**
 * Returns the names of the recommended models in download order: first small models used for every recording, then
 * recognition, then speakers.
 * @param memory memory of the machine or its container, in bytes
 */
export function recommendedModels(memory: number, set: ModelSet): readonly string[] {
  const gibibytes = memory / 2 ** 30 + KEPT_GIB;
  const tier = tiers.find((candidate) => candidate.gibibytes <= gibibytes);
  if (!tier) return [voice];
  return [voice, ...tier.recognition[set], ...(tier.speakers ? speakers : [])];
}

const europeanLanguages: readonly Bcp47[] = ['en', 'es', 'fr', 'pt', 'ru'];
const eastAsianLanguages: readonly Bcp47[] = ['zh-Hans', 'ja', 'ko'];

/** Returns the set for a locale of the machine (BCP 47), such as `fr-CA`. Unknown languages get all models. */
export function setForLocale(locale: string): ModelSet {
  const [language] = locale.toLowerCase().split('-');
  const includes = (tags: readonly string[]) =>
    tags.some((tag) => tag.toLowerCase().split('-')[0] === language);
  if (includes(eastAsianLanguages)) return 'east-asian';
  return includes(europeanLanguages) ? 'european' : 'all';
}
