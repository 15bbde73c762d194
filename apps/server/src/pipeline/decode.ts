import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { PACKET_BYTES, PACKET_MS, SAMPLE_RATE, secondsOfPackets } from '@linnet/audio/format';
import { detectAudioKind } from '@linnet/audio/kind';
import { muxOgg } from '@linnet/audio/ogg';
import { maxSecondsFor } from '@linnet/audio/samples';
import { waveHeader, writeWave } from '@linnet/audio/wave';
import { minutesFor } from '@linnet/contract/durations';
import { limits } from '@linnet/contract/limits';
import { decodeToWave } from '../audio/decode.ts';
import { DecodeFailure } from '../audio/decode-failure.ts';
import { expectedSeconds, probeObject } from '../audio/probe.ts';
import { CallError } from '../http/failure.ts';
import type { TaskRange } from '../modules/task/range.ts';
import { SpeechFailure } from '../providers/speech/port.ts';
import { openWave, readSamples } from '../providers/speech/wave-file.ts';
import { StorageFailure } from '../providers/storage/port.ts';
import {
  deleteLiveDecodingOutput,
  type LiveText,
  matchLiveText,
  startOfRest,
} from './live-text.ts';
import type { Step, StepContext, StepOutputs } from './step.ts';
import { TaskEnd } from './step.ts';

/** Maximum attempts to decode a file, including crashes and worker restarts. */
const maxDecodeAttempts = 5;

/** Returns the path of the decoded recording: a WAV file, 16 kHz, mono, 16 bit. */
export function audioPath({ scratch }: Pick<StepContext, 'scratch'>): string {
  return path.join(scratch, 'audio.wav');
}

/** Returns the path of the audio to recognize: the whole recording, or the part after the live text. */
export function unrecognizedPath(
  context: Pick<StepContext, 'scratch'>,
  { live }: StepOutputs['decode'],
): string {
  return live ? path.join(context.scratch, 'rest.wav') : audioPath(context);
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
    // If an earlier attempt used live text, the outputs of decode and detect describe files that no longer exist.
    if (await deleteLiveDecodingOutput(context.db, task.id))
      throw new Error('decoded audio no longer exists');
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
      const { range } = task;
      const statedSeconds = range
        ? range.end - range.start
        : (probe.declaredSeconds ?? recording.total_time);
      if (minutesFor(statedSeconds) > affordableMinutes) throw new TaskEnd('notEnoughMinutes');
      const maxPlausibleSeconds = maxSecondsFor(
        expectedSeconds(probe, recording.total_time, object.size),
      );
      const live = range ? null : await matchLiveText(context, key, signal);
      const seconds = live && measuredSeconds(live.total, probe.declaredSeconds);
      if (live?.rest && seconds && !(await needsWholeAudio(context))) {
        if (seconds < limits.transcription.minSeconds) throw new TaskEnd('audioTooShort');
        await outcomes.reserve(task.id, seconds);
        const restSamples = await decodeRest(context, live.rest, wave, signal);
        onProgress(1);
        return { seconds, live: { ...toLiveText(live), restSamples, isWholeDecoded: false } };
      }
      const { seconds: decodedSeconds, peaks } = await decodeToWave(
        {
          kind: probe.kind,
          source: await store.read(key),
          size: object.size,
          output: wave,
          maxSeconds: range
            ? maxPlausibleSeconds
            : Math.min(maxPlausibleSeconds, affordableMinutes * 60),
        },
        context.ffmpeg,
        signal,
        onProgress,
      ).catch((error) => {
        const isTooLong = error instanceof DecodeFailure && error.code === 'too-long';
        const isUnpaid = isTooLong && !range && affordableMinutes * 60 < maxPlausibleSeconds;
        throw isUnpaid ? new TaskEnd('notEnoughMinutes', error) : error;
      });
      if (range) return { seconds: await cutRange(context, wave, range) };
      if (decodedSeconds < limits.transcription.minSeconds) throw new TaskEnd('audioTooShort');
      // Reserve the minutes before any engine runs, because an engine may cost the operator money.
      await outcomes.reserve(task.id, decodedSeconds);
      await rename(wave, audioPath(context));
      const decoded = { seconds: decodedSeconds, peaks: Buffer.from(peaks).toString('base64') };
      if (!live) return decoded;
      const restSamples = await copyRest(context, startOfRest(live));
      return { ...decoded, live: { ...toLiveText(live), restSamples, isWholeDecoded: true } };
    } catch (error) {
      await rm(wave, { force: true });
      throw toTaskEnd(error);
    }
  },

  file: {
    neededBy: 'speakers',
    async isComplete(context, output) {
      const { seconds, live } = output;
      try {
        const remainder = live && (await openWave(unrecognizedPath(context, output)));
        if (remainder?.sampleCount !== live?.restSamples) return false;
        if (live && !live.isWholeDecoded) return true;
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
 * Maximum difference in seconds between the declared length and the length of the packets: one packet and the
 * look-ahead.
 */
const maxSecondsDifference = (2 * PACKET_MS) / 1000;

/** Returns the declared length if the packets confirm it, otherwise null. */
function measuredSeconds(packets: number, declared: number | null): number | null {
  if (declared === null) return null;
  const seconds = (packets * PACKET_MS) / 1000;
  return Math.abs(seconds - declared) <= maxSecondsDifference ? declared : null;
}

/** Returns whether speakers are separated by their voices, which requires the audio of the whole recording. */
async function needsWholeAudio({ diarizer }: StepContext): Promise<boolean> {
  return (await diarizer?.isReady()) ?? false;
}

const toLiveText = ({ sessionId, slices, packets }: LiveText): LiveText => ({
  sessionId,
  slices,
  packets,
});

/** Decodes the packets after a live text to rest.wav, and returns the number of samples. */
async function decodeRest(
  context: StepContext,
  packets: Uint8Array,
  wave: string,
  signal: AbortSignal,
): Promise<number> {
  const remainderPath = path.join(context.scratch, 'rest.wav');
  const seconds = secondsOfPackets(packets.length);
  // A decoder drops the look-ahead at the start, so a single packet yields no complete audio.
  if (packets.length <= PACKET_BYTES) {
    await writeFile(remainderPath, writeWave(new Int16Array(), SAMPLE_RATE));
    return 0;
  }
  const file = muxOgg(packets);
  await decodeToWave(
    {
      kind: detectAudioKind(file),
      source: Readable.from([file]),
      size: file.length,
      output: wave,
      maxSeconds: maxSecondsFor(seconds),
    },
    context.ffmpeg,
    signal,
  );
  await rename(wave, remainderPath);
  return (await openWave(remainderPath)).sampleCount;
}

/** Reserves the minutes of a range, cuts its audio to audio.wav, and returns its length in seconds. */
async function cutRange(
  context: StepContext,
  whole: string,
  { start, end }: TaskRange,
): Promise<number> {
  await context.outcomes.reserve(context.task.id, end - start);
  const part = path.join(context.scratch, `part-${randomUUID()}`);
  const seconds = (await copySamples(whole, part, start, end)) / SAMPLE_RATE;
  if (seconds < limits.transcription.minSeconds) throw new TaskEnd('audioTooShort');
  await rename(part, audioPath(context));
  await rm(whole);
  return seconds;
}

/** Copies the audio after `start` (seconds) to rest.wav, and returns the number of samples. */
function copyRest(context: StepContext, start: number): Promise<number> {
  return copySamples(audioPath(context), path.join(context.scratch, 'rest.wav'), start);
}

/** Copies the audio from `start` to `end` (seconds) to another WAV file, and returns the number of samples. */
async function copySamples(
  source: string,
  target: string,
  start: number,
  end = Number.POSITIVE_INFINITY,
): Promise<number> {
  const wave = await openWave(source);
  const sampleAt = (seconds: number) =>
    Math.min(wave.sampleCount, Math.round(seconds * SAMPLE_RATE));
  const [from, to] = [sampleAt(start), sampleAt(end)];
  const samples = to - from;
  const file = await open(target, 'w', 0o600);
  try {
    await file.write(waveHeader(samples, SAMPLE_RATE));
    for await (const block of readSamples(wave, SAMPLE_RATE, { from, to })) {
      await file.write(new Uint8Array(block.buffer, block.byteOffset, block.byteLength));
    }
  } finally {
    await file.close();
  }
  return samples;
}

/**
 * Converts permanent failures of the file or store to a `TaskEnd`. Returns any other error unchanged, and the job is
 * retried.
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
