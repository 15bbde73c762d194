/** Runs a script that loads a model in a child process with memory and time limits, and explains its failures. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { type EngineLimits, runEngine } from './child.ts';
import { SpeechFailure } from './port.ts';
import { withScratch } from './scratch.ts';

/**
 * An event of a script. Each script first emits `begun` when the engine is loaded, and then `loaded` when the model is
 * loaded. If the engine can't be used on this machine, it only emits `absent`.
 */
interface ProcessEvent {
  readonly event: string;
  readonly reason?: string;
}

export interface ModelProcess<Event extends ProcessEvent> {
  /** Name of the engine, for errors. */
  readonly engine: string;
  /** Path of the script. Its argument is the path of a JSON file with the task. */
  readonly script: string;
  /** Options of Node.js. */
  readonly nodeOptions?: readonly string[];
  readonly task: object;
  readonly limits: EngineLimits;
  readonly signal?: AbortSignal | undefined;
  /** Schema of the events, which the script writes to file descriptor 3, one JSON object per line. */
  readonly events: z.ZodType<Event>;
  /** Called with each event after loading, in order. */
  readonly onEvent: (event: Event) => void;
}

/** Matches log lines from an engine that ran out of memory. */
const OUT_OF_MEMORY =
  /bad_alloc|out of memory|cannot allocate|(?:failed|unable) to allocate|InsufficientMemory|Resource temporarily unavailable/i;
/** Matches log lines that explain a crash. None contains transcript text. */
const REASON = /error|exception|terminate|what\(\)|expect|failed/i;
const LONGEST_REASON = 300;

/**
 * Runs one task to completion in its own process.
 * @throws SpeechFailure as `runEngine`, and `model-corrupt` for a crash while loading models that wasn't due to a
 *   lack of memory, and `output-unreadable` for an invalid event
 */
export async function runModelProcess<Event extends ProcessEvent>(
  run: ModelProcess<Event>,
): Promise<void> {
  let stage: 'starting' | 'loading' | 'loaded' = 'starting';
  let absent: string | undefined;
  let unreadable: SpeechFailure | undefined;
  let reason = '';
  let isOutOfMemory = false;
  const stopping = new AbortController();
  const signals = [stopping.signal, ...(run.signal ? [run.signal] : [])];
  const onAnswerLine = (line: string) => {
    try {
      const event = run.events.parse(JSON.parse(line));
      if (event.event === 'begun') stage = 'loading';
      else if (event.event === 'loaded') stage = 'loaded';
      else if (event.event === 'absent') absent = event.reason;
      else run.onEvent(event);
    } catch (cause) {
      unreadable ??= new SpeechFailure(
        'output-unreadable',
        `invalid event from ${run.engine}`,
        cause,
      );
      stopping.abort();
    }
  };
  const onLogLine = (line: string) => {
    const isMemory = OUT_OF_MEMORY.test(line);
    isOutOfMemory ||= isMemory;
    if (isMemory || REASON.test(line))
      reason = `${reason} ${line.trim()}`.slice(0, LONGEST_REASON).trim();
  };
  await withScratch(async (folder) => {
    const file = join(folder, 'task.json');
    await writeTask(file, run);
    try {
      await runEngine({
        program: process.execPath,
        args: [...(run.nodeOptions ?? []), run.script, file],
        cwd: folder,
        limits: run.limits,
        signal: AbortSignal.any(signals),
        onLogLine,
        onAnswerLine,
      });
    } catch (cause) {
      if (unreadable) throw unreadable;
      if (!(cause instanceof SpeechFailure) || cause.code !== 'engine-crashed') throw cause;
      if (absent !== undefined) {
        const isMemory = isOutOfMemory || OUT_OF_MEMORY.test(absent);
        throw new SpeechFailure(isMemory ? 'engine-crashed' : 'engine-missing', absent, cause);
      }
      const detail = `${cause.detail} ${reason}`.trim();
      // The OOM killer sends SIGKILL.
      const isMemory = isOutOfMemory || cause.detail.startsWith('exit SIGKILL');
      const isModels = stage === 'loading' && !isMemory;
      throw new SpeechFailure(isModels ? 'model-corrupt' : 'engine-crashed', detail, cause);
    }
  });
  if (unreadable) throw unreadable;
}

async function writeTask(
  file: string,
  { engine, task }: { readonly engine: string; readonly task: object },
): Promise<void> {
  try {
    await writeFile(file, JSON.stringify(task));
  } catch (cause) {
    throw new SpeechFailure('scratch-failed', `${engine} task file`, cause);
  }
}
