import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { SPEECH_SAMPLE_RATE, SpeechFailure } from './port.ts';
import { openRequestPipe, type RequestPipe } from './request-pipe.ts';
import { withScratch } from './scratch.ts';

/** Maximum running time of a process that stays loaded, in seconds: the longest recording with live text. */
export const LOADED_SECONDS = 24 * 3600;

/** Seconds that an engine may take for a slice: to load the model from a busy disk, and a multiple of its length. */
const STARTING_SECONDS = 60;
const SLOWEST = 10;

/** How an engine is started. */
export interface EngineStart<Answer> {
  /** The temporary folder, which contains the slices. */
  readonly folder: string;
  /** The engine's requests. */
  readonly requests: RequestPipe;
  /** To be called with the result of each slice, in order. */
  readonly onAnswer: (answer: Answer) => void;
  readonly signal: AbortSignal;
}

/** A slice's audio in the engine's folder. */
export interface SliceFile {
  /** Name of the WAV file, without its extension. */
  readonly name: string;
  readonly path: string;
  readonly sampleCount: number;
}

/** An engine process that keeps its model loaded and answers requests one after another. */
export interface LoadedEngine<Answer> {
  /** @throws {SpeechFailure} */
  ask(samples: Int16Array, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Starts an engine.
 * @param run runs the process until its requests end
 * @param request returns the line that requests a slice
 * @throws {SpeechFailure}
 */
export async function loadEngine<Answer>(
  run: (start: EngineStart<Answer>) => Promise<void>,
  request: (slice: SliceFile) => string,
): Promise<LoadedEngine<Answer>> {
  const stopping = new AbortController();
  const started = Promise.withResolvers<{ folder: string; requests: RequestPipe }>();
  let pending: PromiseWithResolvers<Answer> | null = null;
  let failure: SpeechFailure | null = null;
  let asked = 0;
  const fail = (reason: SpeechFailure) => {
    failure ??= reason;
    stopping.abort();
    pending?.reject(failure);
    started.reject(failure);
  };
  const running = withScratch(async (folder) => {
    const requests = await openRequestPipe(folder);
    started.resolve({ folder, requests });
    try {
      const onAnswer = (answer: Answer) => pending?.resolve(answer);
      await run({ folder, requests, onAnswer, signal: stopping.signal });
    } finally {
      await requests.close();
    }
  }).then(
    () => fail(new SpeechFailure('engine-crashed', 'exited between slices')),
    (error: unknown) => fail(toFailure(error)),
  );
  const { folder, requests } = await started.promise;

  return {
    async ask(samples, signal) {
      if (failure) throw failure;
      const answer = Promise.withResolvers<Answer>();
      pending = answer;
      // The process may fail before the answer is awaited below.
      answer.promise.catch(() => undefined);
      asked += 1;
      const name = `slice-${asked}`;
      const file = join(folder, `${name}.wav`);
      const onAbort = () => fail(new SpeechFailure('aborted', 'by the caller'));
      const seconds = STARTING_SECONDS + (samples.length / SPEECH_SAMPLE_RATE) * SLOWEST;
      const timer = setTimeout(
        () => fail(new SpeechFailure('timeout', `no answer after ${Math.round(seconds)} s`)),
        seconds * 1000,
      );
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        if (signal.aborted) onAbort();
        await writeSlice(file, samples);
        await requests.send(request({ name, path: file, sampleCount: samples.length }));
        return await answer.promise;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        pending = null;
        await rm(file, { force: true });
      }
    },

    async close() {
      fail(new SpeechFailure('aborted', 'closed'));
      await running;
    },
  };
}

async function writeSlice(file: string, samples: Int16Array): Promise<void> {
  try {
    await writeFile(file, writeWave(samples, SPEECH_SAMPLE_RATE));
  } catch (cause) {
    throw new SpeechFailure('scratch-failed', 'slice', cause);
  }
}

function toFailure(error: unknown): SpeechFailure {
  return error instanceof SpeechFailure
    ? error
    : new SpeechFailure('engine-crashed', String(error), error);
}
