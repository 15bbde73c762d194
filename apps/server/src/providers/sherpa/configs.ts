import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { InstalledModel } from '../../models/index.ts';
import { SPEECH_SAMPLE_RATE } from '../speech/port.ts';

/** More threads than this gain nothing with models of this size. */
const MOST_THREADS = 4;
const numThreads = Math.min(MOST_THREADS, availableParallelism());

/** Whose tokens an answer may hold: enough for the fastest speaker in the longest slice. */
const QWEN_NEW_TOKENS = 256;

/** The full path of a role's file. */
function roleOf({ folder, manifest }: InstalledModel, role: string): string {
  const name = manifest.roles[role];
  if (name === undefined) throw new Error(`${manifest.name} has no ${role}`);
  return path.join(folder, name);
}

/**
 * The engine's configuration for a model that hears words.
 * @param language as the model names it; empty lets it find out
 */
export function recognizerConfig(model: InstalledModel, language: string): object {
  const file = (role: string) => roleOf(model, role);
  const common = { numThreads, provider: 'cpu', debug: 0 };
  return {
    featConfig: { sampleRate: SPEECH_SAMPLE_RATE, featureDim: 80 },
    decodingMethod: 'greedy_search',
    modelConfig: { ...common, ...byKind() },
  };

  function byKind(): object {
    const { kind } = model.manifest;
    switch (kind) {
      case 'transducer':
        return {
          transducer: {
            encoder: file('encoder'),
            decoder: file('decoder'),
            joiner: file('joiner'),
          },
          tokens: file('tokens'),
          modelType: 'nemo_transducer',
        };
      case 'ctc':
        return {
          nemoCtc: { model: file('model') },
          tokens: file('tokens'),
          modelType: 'nemo_ctc',
        };
      case 'sense-voice':
        return {
          senseVoice: { model: file('model'), language, useInverseTextNormalization: 1 },
          tokens: file('tokens'),
        };
      case 'qwen3':
        return {
          qwen3Asr: {
            convFrontend: file('frontend'),
            encoder: file('encoder'),
            decoder: file('decoder'),
            tokenizer: file('tokenizer'),
            maxNewTokens: QWEN_NEW_TOKENS,
            hotwords: '',
          },
          tokens: '',
        };
      case 'whisper':
        return {
          whisper: {
            encoder: file('encoder'),
            decoder: file('decoder'),
            language,
            task: 'transcribe',
          },
          tokens: file('tokens'),
        };
      default:
        throw new Error(`${model.manifest.name} hears no words: it is of the kind ${kind}`);
    }
  }
}

/** Seconds a voice has to last, and silence that ends a stretch; segments are cut at quiet places beyond the last. */
const VOICE_TIMES = { minSpeechDuration: 0.1, minSilenceDuration: 0.3, maxSpeechDuration: 20 };
/** How sure the model has to be: its authors' own. */
const VOICE_THRESHOLD = 0.5;

/** The engine's configuration for a model that finds voices. */
export function vadConfig(model: InstalledModel): object {
  return {
    sileroVad: {
      model: roleOf(model, 'model'),
      threshold: VOICE_THRESHOLD,
      windowSize: 512,
      ...VOICE_TIMES,
    },
    sampleRate: SPEECH_SAMPLE_RATE,
    numThreads: 1,
    provider: 'cpu',
    debug: 0,
  };
}

/** Largest distance between two voices of one speaker when the number is unknown: the engine's default. */
const CLUSTER_THRESHOLD = 0.5;

/** The engine's configuration for the pair of models that tells speakers apart. */
export function diarizationConfig(segmentation: InstalledModel, embedding: InstalledModel): object {
  const common = { numThreads, provider: 'cpu', debug: 0 };
  return {
    segmentation: { pyannote: { model: roleOf(segmentation, 'model') }, ...common },
    embedding: { model: roleOf(embedding, 'model'), ...common },
    clustering: { numClusters: -1, threshold: CLUSTER_THRESHOLD },
    minDurationOn: 0.3,
    minDurationOff: 0.5,
  };
}
