/** Runs a sherpa-onnx task in a child process (`process.ts`) with memory and time limits. */
import { fileURLToPath } from 'node:url';
import { runModelProcess } from '../speech/model-process.ts';
import { eventSchema, type SherpaEvent, type SherpaTask } from './protocol.ts';

export interface SherpaLimits {
  /** Address space of the process, in MiB. */
  readonly memoryMiB: number;
  /** Wall-clock timeout, in seconds. */
  readonly seconds: number;
}

export interface SherpaRun {
  readonly task: SherpaTask;
  readonly limits: SherpaLimits;
  readonly signal?: AbortSignal | undefined;
  /** Called with each event, in order. */
  readonly onEvent: (event: SherpaEvent) => void;
}

const PROCESS = fileURLToPath(new URL('./process.ts', import.meta.url));

/**
 * Address space in MiB for Node.js with the engine but no model: twice the measured 1.44 GiB, which was mostly reserved
 * but unused.
 */
const EMPTY_MIB = 3072;
/**
 * Address space per byte of model files: for the file's weights, the weights in the engine's layout, and working
 * memory.
 */
const MODEL_FACTOR = 5;
/** Timeout for loading even the smallest model, in seconds. */
const STARTUP_SECONDS = 60;
/** Additional seconds per MiB of the model, enough for a slow disk. */
const SECONDS_PER_MIB = 0.1;

/**
 * Returns the memory and time limits for a task.
 * @param modelBytes total size of the task's models
 * @param audioSeconds length of the decoded audio
 * @param maxRealTimeFactor maximum real-time factor (processing time divided by audio duration)
 */
export function sherpaLimits(
  modelBytes: number,
  audioSeconds: number,
  maxRealTimeFactor: number,
): SherpaLimits {
  const modelMiB = modelBytes / 2 ** 20;
  return {
    memoryMiB: Math.ceil(EMPTY_MIB + MODEL_FACTOR * modelMiB),
    seconds: STARTUP_SECONDS + SECONDS_PER_MIB * modelMiB + audioSeconds * maxRealTimeFactor,
  };
}

/**
 * Runs one task to completion in its own process.
 * @throws SpeechFailure, like `runModelProcess`
 */
export function runSherpa(run: SherpaRun): Promise<void> {
  return runModelProcess({ ...run, engine: 'sherpa-onnx', script: PROCESS, events: eventSchema });
}
