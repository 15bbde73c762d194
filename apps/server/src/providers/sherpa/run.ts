/** Runs a sherpa-onnx task in a child process (`process.ts`) with memory and time limits. */
import { fileURLToPath } from 'node:url';
import { runModelProcess } from '../speech/model-process.ts';
import { eventSchema, type SherpaEvent, type SherpaTask } from './protocol.ts';

export interface SherpaLimits {
  /** Address space of the process, in MiB. */
  readonly memoryMiB: number;
  /** Wall-clock time limit, in seconds. */
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
 * Address space in MiB of Node.js with the engine but no model: twice the 1.44 GiB measured, most of it only reserved.
 */
const EMPTY_MIB = 3072;
/**
 * Address space per byte of model files: for the weights as read, the weights as laid out by the engine, and working
 * memory.
 */
const MODEL_FACTOR = 5;
/** Seconds to load the smallest model. */
const STARTING_SECONDS = 60;
/** Seconds per MiB of model, if the disk is slow. */
const SECONDS_PER_MIB = 0.1;

/**
 * Returns the memory and time limits for a task.
 * @param modelBytes total size of its models
 * @param audioSeconds length of the decoded audio
 * @param slowest longest duration allowed, as a multiple of the audio's length
 */
export function sherpaLimits(
  modelBytes: number,
  audioSeconds: number,
  slowest: number,
): SherpaLimits {
  const modelMiB = modelBytes / 2 ** 20;
  return {
    memoryMiB: Math.ceil(EMPTY_MIB + MODEL_FACTOR * modelMiB),
    seconds: STARTING_SECONDS + SECONDS_PER_MIB * modelMiB + audioSeconds * slowest,
  };
}

/**
 * Runs one task to completion in its own process.
 * @throws {SpeechFailure} as `runModelProcess`
 */
export function runSherpa(run: SherpaRun): Promise<void> {
  return runModelProcess({ ...run, engine: 'sherpa-onnx', script: PROCESS, events: eventSchema });
}
