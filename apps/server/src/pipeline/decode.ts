import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { maxSecondsFor } from '@linnet/audio/samples';
import { limits } from '@linnet/contract/limits';
import { DecodeFailure, decodeToWave } from '../audio/decode.ts';
import { probeSeconds } from '../audio/probe.ts';
import { CallError } from '../http/failure.ts';
import { minutesFor } from '../modules/minutes/service.ts';
import { SpeechFailure } from '../providers/speech/port.ts';
import { openWave } from '../providers/speech/wave-file.ts';
import { StorageFailure } from '../providers/storage/port.ts';
import type { Step, StepContext } from './step.ts';
import { TaskEnd } from './step.ts';

/** Maximum attempts to decode a file, counting crashes and worker restarts. */
const maxDecodeAttempts = 5;

/** Path of the decoded recording: a WAV file, 16 kHz, mono, 16 bit. */
export function audioPath({ scratch }: Pick<StepContext, 'scratch'>): string {
  return path.join(scratch, 'audio.wav');
}

/** Stored object → audio.wav in the scratch folder, its length and waveform. */
export const decode: Step<'decode'> = {
  name: 'decode',
  share: 5,

  async run(context, _inputs, onProgress, signal) {
    const { store, task, recording, scratch, outcomes } = context;
    const key = task.audio_key ?? recording.object_key;
    if (key === null) throw new TaskEnd('objectMissing');
    // Counted beforehand, since a file that crashes the worker leaves no chance to count afterwards.
    if ((await context.countFailure()) > maxDecodeAttempts) throw new TaskEnd('audioUnreadable');
    // Removes partial output of a killed worker.
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { mode: 0o700 });
    // Unique per run: a worker presumed dead may still be writing.
    const wave = path.join(scratch, `audio-${randomUUID()}`);
    try {
      const found = await store.stat(key);
      if (!found) throw new TaskEnd('objectMissing');
      const announced = (await probeSeconds(store, key, signal)) ?? 0;
      const affordable = await outcomes.affordableMinutes(task.id);
      if (minutesFor(announced) > affordable) throw new TaskEnd('notEnoughMinutes');
      const plausible = maxSecondsFor(announced);
      const { seconds, peaks } = await decodeToWave(
        {
          source: await store.read(key),
          size: found.size,
          output: wave,
          maxSeconds: Math.min(plausible, affordable * 60),
        },
        signal,
        onProgress,
      ).catch((error) => {
        const isTooLong = error instanceof DecodeFailure && error.code === 'too-long';
        const isUnpaid = isTooLong && affordable * 60 < plausible;
        throw isUnpaid ? new TaskEnd('notEnoughMinutes', error) : error;
      });
      if (seconds < limits.transcription.minSeconds) throw new TaskEnd('audioTooShort');
      // Reserve before any engine runs, since that may cost the operator money.
      await outcomes.reserve(task.id, seconds);
      await rename(wave, audioPath(context));
      return { seconds, peaks: Buffer.from(peaks).toString('base64') };
    } catch (error) {
      await rm(wave, { force: true });
      throw translate(error);
    }
  },

  file: {
    neededBy: 'speakers',
    async isComplete(context, { seconds }) {
      try {
        const { sampleCount } = await openWave(audioPath(context));
        return sampleCount === Math.round(seconds * SAMPLE_RATE);
      } catch (error) {
        if (error instanceof SpeechFailure) return false;
        throw error;
      }
    },
  },
};

/** Converts permanent failures of the file or store to the end of the task; any other error is retried. */
function translate(error: unknown): unknown {
  // The job is retried; attempts are counted.
  if (error instanceof DecodeFailure && error.code === 'crashed') return error;
  if (error instanceof DecodeFailure) {
    return new TaskEnd(error.code === 'empty' ? 'audioEmpty' : 'audioUnreadable', error);
  }
  if (error instanceof StorageFailure && error.code === 'not-found') {
    return new TaskEnd('objectMissing', error);
  }
  if (error instanceof CallError && error.reason === 'notEnoughMinutes') {
    return new TaskEnd('notEnoughMinutes', error);
  }
  return error;
}
