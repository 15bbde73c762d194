import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { loadProcess, type ProcessStart } from './loaded-process.ts';
import { SPEECH_SAMPLE_RATE, SpeechFailure } from './port.ts';

/**
 * Maximum running time of a process that stays loaded, in seconds: the maximum length of a recording with live text.
 */
export const LOADED_SECONDS = 24 * 3600;

/** Timeout for loading the model from a busy disk, in seconds. */
const STARTUP_SECONDS = 60;
/** Maximum real-time factor (processing time divided by audio duration) for recognizing a slice. */
const MAX_REAL_TIME_FACTOR = 10;

/** A slice's audio in the engine's folder. */
export interface SliceFile {
  /** Name of the WAV file, without its extension. */
  readonly name: string;
  readonly path: string;
  readonly sampleCount: number;
}

/** An engine process that keeps its model loaded and recognizes slices one after another. */
export interface LoadedEngine<Answer> {
  /** @throws SpeechFailure */
  ask(samples: Int16Array, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Starts an engine.
 * @param run runs the process until the request pipe is closed
 * @param request returns the line that requests a slice
 * @throws SpeechFailure
 */
export async function loadEngine<Answer>(
  run: (start: ProcessStart<Answer>) => Promise<void>,
  request: (slice: SliceFile) => string,
): Promise<LoadedEngine<Answer>> {
  const loaded = await loadProcess(run);
  let requestCount = 0;

  return {
    async ask(samples, signal) {
      requestCount += 1;
      const name = `slice-${requestCount}`;
      const seconds =
        STARTUP_SECONDS + (samples.length / SPEECH_SAMPLE_RATE) * MAX_REAL_TIME_FACTOR;
      let file: string | null = null;
      try {
        const prepare = async (folder: string) => {
          file = join(folder, `${name}.wav`);
          await writeSlice(file, samples);
          return request({ name, path: file, sampleCount: samples.length });
        };
        return await loaded.ask(prepare, seconds, signal);
      } finally {
        if (file !== null) await rm(file, { force: true });
      }
    },
    close: () => loaded.close(),
  };
}

async function writeSlice(file: string, samples: Int16Array): Promise<void> {
  try {
    await writeFile(file, writeWave(samples, SPEECH_SAMPLE_RATE));
  } catch (cause) {
    throw new SpeechFailure('scratch-failed', 'slice', cause);
  }
}
