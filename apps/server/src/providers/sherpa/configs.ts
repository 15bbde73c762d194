import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { InstalledModel } from '../../models/index.ts';
import { joinHints } from '../speech/hints.ts';
import { SPEECH_SAMPLE_RATE } from '../speech/port.ts';

/** Maximum number of threads. More don't speed up models of this size. */
const MAX_THREADS = 4;
const numThreads = Math.min(MAX_THREADS, availableParallelism());

/** Maximum output tokens per slice: enough for the fastest speaker in the longest slice. */
const QWEN_NEW_TOKENS = 256;
/**
 * Maximum length of Qwen's hotwords in UTF-8 bytes. Qwen's 512-token context must also hold the output
 * (`QWEN_NEW_TOKENS`) and the audio of the longest slice (13 tokens per second). Each token is at least one byte.
 */
const MAX_HOTWORDS_BYTES = 160;

/** Returns the path of a model's file for the given role. */
function findRoleFile({ folder, manifest }: InstalledModel, role: string): string {
  const name = manifest.roles[role];
  if (name === undefined) throw new Error(`${manifest.name} has no ${role}`);
  return path.join(folder, name);
}

/**
 * Returns the engine configuration for a recognition model.
 * @param language the model's name for the language, or '' to detect it
 * @param vocabulary names and terms that may occur. Only Qwen supports them.
 */
export function recognizerConfig(
  model: InstalledModel,
  language: string,
  vocabulary: readonly string[] = [],
): object {
  const file = (role: string) => findRoleFile(model, role);
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
            // Separated by commas, which entries don't contain.
            hotwords: joinHints(vocabulary, ',', MAX_HOTWORDS_BYTES),
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
        throw new Error(`${model.manifest.name} is not a recognition model: kind ${kind}`);
    }
  }
}

/** VAD durations in seconds. Segments longer than `maxSpeechDuration` are split at quiet points. */
const VOICE_TIMES = { minSpeechDuration: 0.1, minSilenceDuration: 0.3, maxSpeechDuration: 20 };
/** Minimum speech probability, which is the model's default. */
const VOICE_THRESHOLD = 0.5;

/** Returns the engine configuration for a voice activity model. */
export function vadConfig(model: InstalledModel): object {
  return {
    sileroVad: {
      model: findRoleFile(model, 'model'),
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

/**
 * Maximum distance between embeddings of the same speaker, used if the number of speakers is unknown. This is the
 * engine's default.
 */
const CLUSTER_THRESHOLD = 0.5;

/** Returns the engine configuration for a pair of diarization models. */
export function diarizationConfig(segmentation: InstalledModel, embedding: InstalledModel): object {
  const common = { numThreads, provider: 'cpu', debug: 0 };
  return {
    segmentation: { pyannote: { model: findRoleFile(segmentation, 'model') }, ...common },
    embedding: embeddingConfig(embedding),
    clustering: { numClusters: -1, threshold: CLUSTER_THRESHOLD },
    minDurationOn: 0.3,
    minDurationOff: 0.5,
  };
}

/** Returns the engine configuration for an embedding model. */
export function embeddingConfig(model: InstalledModel): object {
  return { model: findRoleFile(model, 'model'), numThreads, provider: 'cpu', debug: 0 };
}
