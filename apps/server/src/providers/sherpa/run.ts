/** Runs a sherpa-onnx task in a child process (`process.ts`) with memory and time limits, and explains failures. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runEngine } from '../speech/child.ts';
import { SpeechFailure } from '../speech/port.ts';
import { withScratch } from '../speech/scratch.ts';
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

/** Matches log lines from an engine that ran out of memory. */
const OUT_OF_MEMORY = /bad_alloc|out of memory|cannot allocate/i;
/** Matches log lines that explain a crash. None contains transcript text. */
const REASON = /error|exception|terminate|what\(\)|expect|failed/i;
const LONGEST_REASON = 300;

/**
 * Runs one task to completion in its own process.
 * @throws {SpeechFailure} as `runEngine`; also `model-corrupt` for a crash while loading models, and
 *   `output-unreadable` for an invalid event
 */
export async function runSherpa(run: SherpaRun): Promise<void> {
  let stage: 'starting' | 'loading' | 'loaded' = 'starting';
  let absent: string | undefined;
  let unreadable: SpeechFailure | undefined;
  let reason = '';
  const onAnswerLine = (line: string) => {
    try {
      const event = eventSchema.parse(JSON.parse(line));
      if (event.event === 'begun') stage = 'loading';
      else if (event.event === 'loaded') stage = 'loaded';
      else if (event.event === 'absent') absent = event.reason;
      else run.onEvent(event);
    } catch (cause) {
      unreadable ??= new SpeechFailure(
        'output-unreadable',
        'invalid event from sherpa-onnx',
        cause,
      );
    }
  };
  const onLogLine = (line: string) => {
    if (REASON.test(line)) reason = `${reason} ${line.trim()}`.slice(0, LONGEST_REASON).trim();
  };
  await withScratch(async (folder) => {
    const file = join(folder, 'task.json');
    await writeTask(file, run.task);
    try {
      await runEngine({
        program: process.execPath,
        args: [PROCESS, file],
        cwd: folder,
        limits: run.limits,
        signal: run.signal,
        onLogLine,
        onAnswerLine,
      });
    } catch (cause) {
      if (!(cause instanceof SpeechFailure) || cause.code !== 'engine-crashed') throw cause;
      if (absent !== undefined) throw new SpeechFailure('engine-missing', absent, cause);
      const detail = `${cause.detail} ${reason}`.trim();
      const isModels = stage === 'loading' && !OUT_OF_MEMORY.test(reason);
      throw new SpeechFailure(isModels ? 'model-corrupt' : 'engine-crashed', detail, cause);
    }
  });
  if (unreadable) throw unreadable;
}

async function writeTask(file: string, task: SherpaTask): Promise<void> {
  try {
    await writeFile(file, JSON.stringify(task));
  } catch (cause) {
    throw new SpeechFailure('scratch-failed', 'sherpa-onnx task file', cause);
  }
}
