import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../test/folder.ts';
import { SPEECH_SAMPLE_RATE } from '../speech/port.ts';
import type { SpeechSegment, VoiceDetector } from './port.ts';

export interface SpokenAudio {
  /** 16 kHz mono, of at least twenty seconds. */
  readonly samples: Int16Array;
  /** When something is said in it. */
  readonly words: readonly SpeechSegment[];
}

export interface VoiceSamples {
  /** In which it must find nothing. */
  readonly unspoken: Readonly<Record<string, Int16Array>>;
  readonly spoken: Readonly<Record<string, () => Promise<SpokenAudio>>>;
}

/** Share of the words' time that has to lie in the segments. */
const LEAST_COVERED = 0.98;
const HOUR = 3600;
/** Largest part of an hour's 110 MiB that may be in memory at once. */
const MOST_HELD = 30 * 2 ** 20;

/** The contract of every detector. */
export function voiceContract(
  makeDetector: () => VoiceDetector | Promise<VoiceDetector>,
  { unspoken, spoken }: VoiceSamples,
): void {
  describe('keeps the contract of a voice detector', { timeout: 600_000 }, () => {
    it.each(Object.entries(unspoken))('finds nobody in %s', async (_, samples) => {
      const detector = await makeDetector();
      expect(await detector.detect({ path: await fileOf(samples) })).toEqual([]);
    });

    it.each(Object.entries(spoken))(
      'finds who speaks in %s, and reports progress',
      async (_, load) => {
        const { samples, words } = await load();
        const fractions: number[] = [];
        const detector = await makeDetector();
        const segments = await detector.detect({
          path: await fileOf(samples),
          onProgress: (fraction) => fractions.push(fraction),
        });
        inOrder(segments, samples.length / SPEECH_SAMPLE_RATE);
        expect(coveredOf(words, segments)).toBeGreaterThanOrEqual(LEAST_COVERED);
        expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
        expect(fractions.at(-1)).toBe(1);
      },
    );

    it('finds the same in an hour as in its parts, and never holds all of it', async () => {
      const { samples, words } = await (Object.values(spoken)[0] as () => Promise<SpokenAudio>)();
      const seconds = samples.length / SPEECH_SAMPLE_RATE;
      const times = Math.ceil(HOUR / seconds);
      const long = new Int16Array(times * samples.length);
      for (let at = 0; at < times; at += 1) long.set(samples, at * samples.length);
      const file = await fileOf(long);
      const before = process.memoryUsage().arrayBuffers;
      let held = 0;
      const detector = await makeDetector();
      const segments = await detector.detect({
        path: file,
        onProgress: () => {
          held = Math.max(held, process.memoryUsage().arrayBuffers - before);
        },
      });
      expect(held).toBeLessThan(MOST_HELD);
      inOrder(segments, times * seconds);
      const all = Array.from({ length: times }, (_, at) =>
        words.map(({ start, end }) => ({ start: start + at * seconds, end: end + at * seconds })),
      ).flat();
      expect(coveredOf(all, segments)).toBeGreaterThanOrEqual(LEAST_COVERED);
    });

    it('stops when its caller gives up, before and in the middle', async () => {
      const { samples } = await (Object.values(spoken)[0] as () => Promise<SpokenAudio>)();
      const file = await fileOf(samples);
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

    it('refuses what is no audio', async () => {
      const file = path.join(await makeFolder(), 'text.wav');
      await writeFile(file, 'this is no audio at all, whatever its name says');
      const detector = await makeDetector();
      await expect(detector.detect({ path: file })).rejects.toMatchObject({
        code: 'audio-unreadable',
      });
    });
  });
}

async function fileOf(samples: Int16Array): Promise<string> {
  const file = path.join(await makeFolder(), 'audio.wav');
  await writeFile(file, writeWave(samples, SPEECH_SAMPLE_RATE));
  return file;
}

function inOrder(segments: readonly SpeechSegment[], seconds: number): void {
  let clock = 0;
  for (const { start, end } of segments) {
    expect(start).toBeGreaterThanOrEqual(clock);
    expect(end).toBeGreaterThan(start);
    clock = end;
  }
  expect(clock).toBeLessThanOrEqual(seconds);
}

function coveredOf(words: readonly SpeechSegment[], segments: readonly SpeechSegment[]): number {
  let [said, covered, from] = [0, 0, 0];
  for (const word of words) {
    said += word.end - word.start;
    while ((segments[from]?.end ?? Number.POSITIVE_INFINITY) < word.start) from += 1;
    for (let at = from; at < segments.length; at += 1) {
      const { start, end } = segments[at] as SpeechSegment;
      if (start > word.end) break;
      covered += Math.max(0, Math.min(end, word.end) - Math.max(start, word.start));
    }
  }
  return covered / said;
}
