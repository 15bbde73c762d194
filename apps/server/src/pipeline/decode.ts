import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { limits } from '@linnet/contract/limits';
import { DecodeFailure, decodeToWave } from '../audio/decode.ts';
import { SpeechFailure } from '../providers/speech/port.ts';
import { openWave } from '../providers/speech/wave-file.ts';
import type { ObjectStore } from '../providers/storage/port.ts';
import { StorageFailure } from '../providers/storage/port.ts';
import type { Step, StepContext } from './step.ts';
import { TaskEnd } from './step.ts';

/** How much of the step fetching takes. */
const fetchPart = 0.5;

/** The decoded recording: a WAV file, 16 kHz, mono, 16 bit. */
export function audioOf({ scratch }: Pick<StepContext, 'scratch'>): string {
  return path.join(scratch, 'audio.wav');
}

/** Stored object → audio.wav in the scratch folder, how long it is and how it is drawn. */
export const decode: Step<'decode'> = {
  name: 'decode',
  share: 5,

  async run(context, _inputs, onProgress, signal) {
    const { store, task, recording, scratch } = context;
    const key = task.audio_key ?? recording.object_key;
    if (key === null) throw new TaskEnd('objectMissing');
    // What a killed worker left half done.
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { mode: 0o700 });
    // Names of this run alone: a worker that was thought dead may still be writing.
    const [object, wave] = [`object-${randomUUID()}`, `audio-${randomUUID()}`].map((name) =>
      path.join(scratch, name),
    ) as [string, string];
    try {
      await fetchObject(store, key, object, (fraction) => onProgress(fraction * fetchPart), signal);
      const { seconds, peaks } = await decodeToWave(
        { input: object, output: wave },
        signal,
        (fraction) => onProgress(fetchPart + fraction * (1 - fetchPart)),
      );
      if (seconds < limits.transcription.minSeconds) throw new TaskEnd('audioTooShort');
      await rename(wave, audioOf(context));
      return { seconds, peaks: Buffer.from(peaks).toString('base64') };
    } catch (error) {
      throw translate(error);
    } finally {
      await rm(object, { force: true });
    }
  },

  file: {
    neededBy: 'speakers',
    async isWhole(context, { seconds }) {
      try {
        const { sampleCount } = await openWave(audioOf(context));
        return sampleCount === Math.round(seconds * SAMPLE_RATE);
      } catch (error) {
        if (error instanceof SpeechFailure) return false;
        throw error;
      }
    },
  },
};

async function fetchObject(
  store: ObjectStore,
  key: string,
  file: string,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const size = (await store.stat(key))?.size ?? 0;
  let fetched = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      fetched += chunk.length;
      onProgress(Math.min(1, fetched / size));
      yield chunk;
    }
  };
  await pipeline(await store.read(key), counted, createWriteStream(file), { signal });
}

/** What a file or a store fails with, as an end of the task; anything else may go better another time. */
function translate(error: unknown): unknown {
  if (error instanceof DecodeFailure) {
    return new TaskEnd(error.code === 'empty' ? 'audioEmpty' : 'audioUnreadable', error);
  }
  if (error instanceof StorageFailure && error.code === 'not-found') {
    return new TaskEnd('objectMissing', error);
  }
  return error;
}
