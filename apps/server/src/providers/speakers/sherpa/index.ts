import { totalmem } from 'node:os';
import { type InstalledModel, type ModelStore, modelBytes } from '../../../models/index.ts';
import { diarizationConfig, embeddingConfig } from '../../sherpa/configs.ts';
import { isSherpaInstalled, SHERPA_PACKAGE } from '../../sherpa/installation.ts';
import { runSherpa, type SherpaLimits, sherpaLimits } from '../../sherpa/run.ts';
import { verifyModels } from '../../sherpa/verified.ts';
import { SPEECH_SAMPLE_RATE, SpeechFailure } from '../../speech/port.ts';
import { openWave } from '../../speech/wave-file.ts';
import {
  type DiarizeRequest,
  type EmbedRequest,
  type SpeakerDiarizer,
  type SpeakerEmbeddings,
  SpeakerFailure,
  type SpeakerTurn,
} from '../port.ts';
import { soloSpeech } from '../solo.ts';
import { numberByAppearance } from '../turns.ts';

/** Maximum real-time factor (processing time divided by audio duration), on a busy machine. */
const MAX_REAL_TIME_FACTOR = 4;
/**
 * Memory per sample in bytes. The engine receives all samples at once, so they are in memory twice: as read and as
 * converted.
 */
const BYTES_PER_SAMPLE = 10;
/**
 * Number of voice embeddings per second of audio that are compared pairwise: the engine analyzes one window per second,
 * with up to two voices.
 */
const VOICES_PER_SECOND = 2;
const BYTES_PER_COMPARISON = 8;
/** Fraction of the machine's or container's memory that a task may use. The rest is for the database and the server. */
const SPARE_MEMORY = 0.5;

export interface SherpaDiarizerOptions {
  readonly models: ModelStore;
  /** Overrides a task's limits. */
  readonly limits?: Partial<SherpaLimits>;
  /** Maximum memory for audio in bytes, by default half of the available memory. */
  readonly spareBytes?: number;
}

interface ModelPair {
  readonly segmentation: InstalledModel;
  readonly embedding: InstalledModel;
}

/** Creates a diarizer that uses one model to find speaker changes and another to compare voices. */
export function createSherpaDiarizer({
  models,
  limits = {},
  spareBytes = SPARE_MEMORY * Math.min(totalmem(), process.constrainedMemory() || Number.MAX_VALUE),
}: SherpaDiarizerOptions): SpeakerDiarizer {
  async function findModels(): Promise<ModelPair | null> {
    const installed = await models.installed();
    const segmentation = installed.find(({ manifest }) => manifest.kind === 'segmentation');
    const embedding = installed.find(({ manifest }) => manifest.kind === 'embedding');
    return segmentation && embedding ? { segmentation, embedding } : null;
  }

  async function diarize(request: DiarizeRequest): Promise<readonly SpeakerTurn[]> {
    if (!isSherpaInstalled()) throw new SpeakerFailure('engine-missing', SHERPA_PACKAGE);
    const pair = await findModels();
    if (!pair) throw new SpeakerFailure('model-missing', 'one for segmentation and one for voices');
    const audio = await openWave(request.path);
    if (audio.sampleCount === 0) return [];
    const seconds = audio.sampleCount / SPEECH_SAMPLE_RATE;
    // Check in advance, because the address space limit would stop the engine only after it has used up the machine's
    // memory.
    const requiredBytes = requiredBytesFor(seconds);
    if (requiredBytes > spareBytes) {
      const minutes = Math.round(seconds / 60);
      throw new SpeakerFailure('audio-too-long', `${minutes} min take ${toMiB(requiredBytes)} MiB`);
    }
    await verifyModels(models, [pair.segmentation, pair.embedding]);
    let turns: readonly SpeakerTurn[] | undefined;
    await runSherpa({
      task: {
        kind: 'diarize',
        config: diarizationConfig(pair.segmentation, pair.embedding),
        audio,
      },
      limits: { ...limitsFor(pair, seconds), ...limits },
      signal: request.signal,
      onEvent: (event) => {
        if (event.event === 'turns') turns = event.turns;
      },
    });
    if (!turns) throw new SpeakerFailure('engine-crashed', 'exited without an answer');
    request.onProgress?.(1);
    return numberByAppearance(turns, seconds);
  }

  async function embed({ path, turns, signal }: EmbedRequest): Promise<SpeakerEmbeddings> {
    if (!isSherpaInstalled()) throw new SpeakerFailure('engine-missing', SHERPA_PACKAGE);
    const pair = await findModels();
    if (!pair) throw new SpeakerFailure('model-missing', 'one for voices');
    const { embedding: model } = pair;
    const audio = await openWave(path);
    const toSample = (seconds: number) =>
      Math.min(audio.sampleCount, Math.round(seconds * SPEECH_SAMPLE_RATE));
    const speakers = soloSpeech(turns).map(({ speaker, parts }) => ({
      speaker,
      parts: parts.map(({ start, end }) => ({ from: toSample(start), to: toSample(end) })),
    }));
    const embeddings: { speaker: number; embedding: Float32Array }[] = [];
    if (speakers.length > 0) {
      await verifyModels(models, [model]);
      const seconds = audio.sampleCount / SPEECH_SAMPLE_RATE;
      await runSherpa({
        task: { kind: 'embed', config: embeddingConfig(model), audio, speakers },
        limits: {
          ...sherpaLimits(modelBytes(model.manifest), seconds, MAX_REAL_TIME_FACTOR),
          ...limits,
        },
        signal,
        onEvent: (event) => {
          if (event.event !== 'embedded') return;
          const { speaker, embedding } = event;
          embeddings.push({ speaker, embedding: Float32Array.from(embedding) });
        },
      });
    }
    return { model: modelId(model), embeddings };
  }

  return {
    id: 'sherpa',
    isReady: async () => isSherpaInstalled() && (await findModels()) !== null,
    async diarize(request) {
      try {
        return await diarize(request);
      } catch (error) {
        throw error instanceof SpeechFailure ? toSpeakerFailure(error) : error;
      }
    },
    async embed(request) {
      try {
        return await embed(request);
      } catch (error) {
        throw error instanceof SpeechFailure ? toSpeakerFailure(error) : error;
      }
    },
  };
}

/** Returns an ID for a model that changes with its content. */
function modelId({ manifest }: InstalledModel): string {
  const file = manifest.files.find(({ path }) => path === manifest.roles.model);
  return `${manifest.name}@${file?.sha256.slice(0, 16)}`;
}

function limitsFor({ segmentation, embedding }: ModelPair, seconds: number): SherpaLimits {
  const bytes = modelBytes(segmentation.manifest) + modelBytes(embedding.manifest);
  const limits = sherpaLimits(bytes, seconds, MAX_REAL_TIME_FACTOR);
  return { ...limits, memoryMiB: limits.memoryMiB + toMiB(requiredBytesFor(seconds)) };
}

/** Returns the bytes that the engine holds in memory for audio of the given length. */
function requiredBytesFor(seconds: number): number {
  const voices = VOICES_PER_SECOND * seconds;
  const samples = seconds * SPEECH_SAMPLE_RATE;
  return samples * BYTES_PER_SAMPLE + (voices ** 2 / 2) * BYTES_PER_COMPARISON;
}

function toMiB(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}

function toSpeakerFailure(failure: SpeechFailure): SpeakerFailure {
  const { code, detail } = failure;
  switch (code) {
    case 'engine-missing':
    case 'model-missing':
    case 'model-corrupt':
    case 'timeout':
    case 'audio-unreadable':
    case 'aborted':
      return new SpeakerFailure(code, detail, failure);
    default:
      return new SpeakerFailure('engine-crashed', detail, failure);
  }
}
