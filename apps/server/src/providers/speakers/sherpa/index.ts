import { totalmem } from 'node:os';
import { type InstalledModel, type ModelStore, modelBytes } from '../../../models/index.ts';
import { diarizationConfig } from '../../sherpa/configs.ts';
import { isSherpaInstalled, SHERPA_PACKAGE } from '../../sherpa/installation.ts';
import { runSherpa, type SherpaLimits, sherpaLimits } from '../../sherpa/run.ts';
import { verified } from '../../sherpa/verified.ts';
import { SPEECH_SAMPLE_RATE, SpeechFailure } from '../../speech/port.ts';
import { openWave } from '../../speech/wave-file.ts';
import {
  type DiarizeRequest,
  type SpeakerDiarizer,
  SpeakerFailure,
  type SpeakerTurn,
} from '../port.ts';
import { inOrderOfAppearance } from '../turns.ts';

/** How many times the length of the audio it may take, on a busy machine. */
const SLOWEST = 4;
/** Bytes held per sample: the engine takes all at once, so they are in memory as read and as converted. */
const BYTES_PER_SAMPLE = 10;
/** Voices it compares, each with each, for each second: it looks once a second, at up to two. */
const VOICES_PER_SECOND = 2;
const BYTES_PER_COMPARISON = 8;
/** Of the machine's memory, or of what its container may have: the database and the server live there too. */
const SPARE_MEMORY = 0.5;

export interface SherpaDiarizerOptions {
  readonly models: ModelStore;
  /** Overrides of what a task may take. */
  readonly limits?: Partial<SherpaLimits>;
  /** Bytes that what it holds of the audio may take; half of the memory there is if absent. */
  readonly spareBytes?: number;
}

interface ModelPair {
  readonly segmentation: InstalledModel;
  readonly embedding: InstalledModel;
}

/** Tells speakers apart by a model for where they change and one for what their voices are like. */
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
    // Nothing else bounds it: a limit of address space ends the engine, and not before the machine is full.
    const held = heldBytes(seconds);
    if (held > spareBytes) {
      const minutes = Math.round(seconds / 60);
      throw new SpeakerFailure('audio-too-long', `${minutes} min take ${toMiB(held)} MiB`);
    }
    await verified(models, [pair.segmentation, pair.embedding]);
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
    if (!turns) throw new SpeakerFailure('engine-crashed', 'it ended without an answer');
    request.onProgress?.(1);
    return inOrderOfAppearance(turns, seconds);
  }

  return {
    id: 'sherpa',
    isReady: async () => isSherpaInstalled() && (await findModels()) !== null,
    async diarize(request) {
      try {
        return await diarize(request);
      } catch (error) {
        throw error instanceof SpeechFailure ? speakerFailureOf(error) : error;
      }
    },
  };
}

function limitsFor({ segmentation, embedding }: ModelPair, seconds: number): SherpaLimits {
  const bytes = modelBytes(segmentation.manifest) + modelBytes(embedding.manifest);
  const limits = sherpaLimits(bytes, seconds, SLOWEST);
  return { ...limits, memoryMiB: limits.memoryMiB + toMiB(heldBytes(seconds)) };
}

/** Bytes the engine holds for audio of a length. */
function heldBytes(seconds: number): number {
  const voices = VOICES_PER_SECOND * seconds;
  const samples = seconds * SPEECH_SAMPLE_RATE;
  return samples * BYTES_PER_SAMPLE + (voices ** 2 / 2) * BYTES_PER_COMPARISON;
}

function toMiB(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}

function speakerFailureOf(failure: SpeechFailure): SpeakerFailure {
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
