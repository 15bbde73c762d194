import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../test/folder.ts';
import { SPEECH_SAMPLE_RATE } from '../speech/port.ts';
import type { SpeechSegment, VoiceDetector } from './port.ts';

export interface SpokenAudio {
  /** Samples at 16 kHz, mono; at least twenty seconds. */
  readonly samples: Int16Array;
  /** When the words are spoken. */
  readonly words: readonly SpeechSegment[];
}

export interface VoiceSamples {
  /** Audio samples without speech, by name. */
  readonly unspoken: Readonly<Record<string, Int16Array>>;
  readonly spoken: Readonly<Record<string, () => Promise<SpokenAudio>>>;
}

/** Minimum fraction of the words' duration that the segments must cover. */
const MIN_COVERAGE = 0.98;
const HALF_HOUR_SECONDS = 1800;
/** Maximum number of bytes in memory while half an hour of audio (55 MiB) is being read. */
const MAX_BUFFERED_BYTES = 30 * 2 ** 20;

/** Registers the tests that every voice detector must pass. */
export function voiceContract(
  makeDetector: () => VoiceDetector | Promise<VoiceDetector>,
  { unspoken, spoken }: VoiceSamples,
): void {
  describe('a voice detector', { timeout: 600_000 }, () => {
    it.each(Object.entries(unspoken))('finds no speech in %s', async (_, samples) => {
      const detector = await makeDetector();
      expect(await detector.detect({ path: await writeAudioFile(samples) })).toEqual([]);
    });

    it.each(Object.entries(spoken))(
      'finds the speech in %s and reports progress',
      async (_, load) => {
        const { samples, words } = await load();
        const fractions: number[] = [];
        const detector = await makeDetector();
        const segments = await detector.detect({
          path: await writeAudioFile(samples),
          onProgress: (fraction) => fractions.push(fraction),
        });
        expectOrder(segments, samples.length / SPEECH_SAMPLE_RATE);
        expect(coverage(words, segments)).toBeGreaterThanOrEqual(MIN_COVERAGE);
        expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
        expect(fractions.at(-1)).toBe(1);
      },
    );

    it('processes half an hour of audio in bounded memory with the same result', async () => {
      const { samples, words } = await (Object.values(spoken)[0] as () => Promise<SpokenAudio>)();
      const seconds = samples.length / SPEECH_SAMPLE_RATE;
      const repetitions = Math.ceil(HALF_HOUR_SECONDS / seconds);
      const longSamples = new Int16Array(repetitions * samples.length);
      for (let index = 0; index < repetitions; index += 1)
        longSamples.set(samples, index * samples.length);
      const file = await writeAudioFile(longSamples);
      const before = process.memoryUsage().arrayBuffers;
      let buffered = 0;
      const detector = await makeDetector();
      const segments = await detector.detect({
        path: file,
        onProgress: () => {
          buffered = Math.max(buffered, process.memoryUsage().arrayBuffers - before);
        },
      });
      expect(buffered).toBeLessThan(MAX_BUFFERED_BYTES);
      expectOrder(segments, repetitions * seconds);
      const all = Array.from({ length: repetitions }, (_, index) =>
        words.map(({ start, end }) => ({
          start: start + index * seconds,
          end: end + index * seconds,
        })),
      ).flat();
      expect(coverage(all, segments)).toBeGreaterThanOrEqual(MIN_COVERAGE);
    });

    it('stops when aborted, before it starts and midway', async () => {
      const { samples } = await (Object.values(spoken)[0] as () => Promise<SpokenAudio>)();
      const file = await writeAudioFile(samples);
      const detector = await makeDetector();
      await expect(
        detector.detect({ path: file, signal: AbortSignal.abort() }),
      ).rejects.toMatchObject({ name: 'VoiceFailure', code: 'aborted' });
      const controller = new AbortController();
      const onProgress = () => controller.abort();
      await expect(
        detector.detect({ path: file, signal: controller.signal, onProgress }),
      ).rejects.toMatchObject({ code: 'aborted' });
    });

    it('rejects a file that is not audio', async () => {
      const file = path.join(await makeFolder(), 'text.wav');
      await writeFile(file, 'this is no audio at all, whatever its name says');
      const detector = await makeDetector();
      await expect(detector.detect({ path: file })).rejects.toMatchObject({
        code: 'audio-unreadable',
      });
    });
  });
}

async function writeAudioFile(samples: Int16Array): Promise<string> {
  const file = path.join(await makeFolder(), 'audio.wav');
  await writeFile(file, writeWave(samples, SPEECH_SAMPLE_RATE));
  return file;
}

function expectOrder(segments: readonly SpeechSegment[], seconds: number): void {
  let clock = 0;
  for (const { start, end } of segments) {
    expect(start).toBeGreaterThanOrEqual(clock);
    expect(end).toBeGreaterThan(start);
    clock = end;
  }
  expect(clock).toBeLessThanOrEqual(seconds);
}

function coverage(words: readonly SpeechSegment[], segments: readonly SpeechSegment[]): number {
  let [spokenSeconds, coveredSeconds, from] = [0, 0, 0];
  for (const word of words) {
    spokenSeconds += word.end - word.start;
    while ((segments[from]?.end ?? Number.POSITIVE_INFINITY) < word.start) from += 1;
    for (let index = from; index < segments.length; index += 1) {
      const { start, end } = segments[index] as SpeechSegment;
      if (start > word.end) break;
      coveredSeconds += Math.max(0, Math.min(end, word.end) - Math.max(start, word.start));
    }
  }
  return coveredSeconds / spokenSeconds;
}
