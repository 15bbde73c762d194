import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { maxSecondsFor } from '@linnet/audio/samples';
import { minutesFor } from '@linnet/contract/durations';
import { limits } from '@linnet/contract/limits';
import { decodeToWave } from '../audio/decode.ts';
import { DecodeFailure } from '../audio/decode-failure.ts';
import { expectedSeconds, probeObject } from '../audio/probe.ts';
import { CallError } from '../http/failure.ts';
import { SpeechFailure } from '../providers/speech/port.ts';
import { openWave } from '../providers/speech/wave-file.ts';
import { StorageFailure } from '../providers/storage/port.ts';
import type { Step, StepContext } from './step.ts';
import { TaskEnd } from './step.ts';

/** Maximum attempts to decode a file, including crashes and worker restarts. */
const maxDecodeAttempts = 5;

/** Returns the path of the decoded recording: a WAV file, 16 kHz, mono, 16 bit. */
export function audioPath({ scratch }: Pick<StepContext, 'scratch'>): string {
  return path.join(scratch, 'audio.wav');
}

/** Decodes the stored object to audio.wav in the scratch folder, and measures its length and waveform. */
export const decode: Step<'decode'> = {
  name: 'decode',
  share: 5,

  async run(context, _inputs, onProgress, signal) {
    const { store, task, recording, scratch, outcomes } = context;
    const key = task.audio_key ?? recording.object_key;
    if (key === null) throw new TaskEnd('objectMissing');
    // Count the attempt before decoding, because a crashed worker can't count it afterwards.
    if ((await context.countFailure()) > maxDecodeAttempts) throw new TaskEnd('audioUnreadable');
    // Remove the partial output of a killed worker.
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { mode: 0o700 });
    // The name is unique to this run, because a worker presumed dead may still be writing.
    const wave = path.join(scratch, `audio-${randomUUID()}`);
    try {
      const object = await store.stat(key);
      if (!object) throw new TaskEnd('objectMissing');
      const probe = await probeObject(store, key, signal);
      if (!probe) throw new TaskEnd('audioEmpty');
      const affordableMinutes = await outcomes.affordableMinutes(task.id);
      // Don't estimate the length from the file size, which would reject files that the account can afford.
      const statedSeconds = probe.announcedSeconds ?? recording.total_time;
      if (minutesFor(statedSeconds) > affordableMinutes) throw new TaskEnd('notEnoughMinutes');
      const maxPlausibleSeconds = maxSecondsFor(
        expectedSeconds(probe, recording.total_time, object.size),
      );
      const { seconds, peaks } = await decodeToWave(
        {
          kind: probe.kind,
          source: await store.read(key),
          size: object.size,
          output: wave,
          maxSeconds: Math.min(maxPlausibleSeconds, affordableMinutes * 60),
        },
        context.ffmpeg,
        signal,
        onProgress,
      ).catch((error) => {
        const isTooLong = error instanceof DecodeFailure && error.code === 'too-long';
        const isUnpaid = isTooLong && affordableMinutes * 60 < maxPlausibleSeconds;
        throw isUnpaid ? new TaskEnd('notEnoughMinutes', error) : error;
      });
      if (seconds < limits.transcription.minSeconds) throw new TaskEnd('audioTooShort');
      // Reserve the minutes before any engine runs, since running one may cost the operator money.
      await outcomes.reserve(task.id, seconds);
      await rename(wave, audioPath(context));
      return { seconds, peaks: Buffer.from(peaks).toString('base64') };
    } catch (error) {
      await rm(wave, { force: true });
      throw toTaskEnd(error);
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

/**
 * Converts permanent failures of the file or store to a `TaskEnd`. Returns any other error unchanged, so that the job
 * is retried.
 */
function toTaskEnd(error: unknown): unknown {
  // A crash is retried until the attempts run out.
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
