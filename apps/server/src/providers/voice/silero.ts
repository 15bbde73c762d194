import { type InstalledModel, type ModelStore, modelBytes } from '../../models/index.ts';
import { vadConfig } from '../sherpa/configs.ts';
import { runSherpa, type SherpaLimits, sherpaLimits } from '../sherpa/run.ts';
import { verifyModels } from '../sherpa/verified.ts';
import { SPEECH_SAMPLE_RATE, SpeechFailure } from '../speech/port.ts';
import { openWave } from '../speech/wave-file.ts';
import { toVoiceFailure } from './failure.ts';
import type { DetectRequest, SpeechSegment, VoiceDetector } from './port.ts';

/** Maximum real-time factor (processing time divided by audio duration). On a busy machine, 0.02 was measured. */
const MAX_REAL_TIME_FACTOR = 1;
/** Seconds added at both ends, because the model detects soft onsets too late and soft endings too early. */
const MARGIN_SECONDS = 0.2;

export interface SileroOptions {
  readonly models: ModelStore;
  readonly model: InstalledModel;
  /** Overrides a task's limits. */
  readonly limits?: Partial<SherpaLimits>;
}

/** Detects speech in a sherpa-onnx process with a neural model that distinguishes voices from music and noise. */
export function createSilero({ models, model, limits }: SileroOptions): VoiceDetector {
  return {
    id: 'silero',
    async detect(request) {
      try {
        return await detect(models, model, limits ?? {}, request);
      } catch (error) {
        throw error instanceof SpeechFailure ? toVoiceFailure(error) : error;
      }
    },
  };
}

async function detect(
  models: ModelStore,
  model: InstalledModel,
  limits: Partial<SherpaLimits>,
  { path, signal, onProgress }: DetectRequest,
): Promise<readonly SpeechSegment[]> {
  const audio = await openWave(path);
  await verifyModels(models, [model]);
  const seconds = audio.sampleCount / SPEECH_SAMPLE_RATE;
  const segments: SpeechSegment[] = [];
  await runSherpa({
    task: { kind: 'detect', config: vadConfig(model), audio },
    limits: {
      ...sherpaLimits(modelBytes(model.manifest), seconds, MAX_REAL_TIME_FACTOR),
      ...limits,
    },
    signal,
    onEvent: (event) => {
      if (event.event === 'progress') onProgress?.(event.fraction);
      if (event.event !== 'speech') return;
      const start = Math.max(0, event.from / SPEECH_SAMPLE_RATE - MARGIN_SECONDS);
      const end = Math.min(seconds, event.to / SPEECH_SAMPLE_RATE + MARGIN_SECONDS);
      const last = segments.at(-1);
      if (last && start <= last.end) segments[segments.length - 1] = { start: last.start, end };
      else segments.push({ start, end });
    },
  });
  onProgress?.(1);
  return segments;
}
