import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { describe, expect, it } from 'vitest';
import { wordErrorRate } from '../../transcript/word-error-rate.ts';
import { type RecognizedWord, SPEECH_SAMPLE_RATE, type SpeechRecognizer } from './port.ts';
import { withScratch } from './scratch.ts';

export interface SpokenSample {
  readonly samples: Int16Array;
  readonly transcript: string;
  /** BCP 47 tag with a region (`en-GB`), although the engine lists the language without one. */
  readonly language: string;
  /** Maximum word error rate. */
  readonly maxErrorRate: number;
}

/** Registers the tests that every recognizer must pass. The sample is at least twenty seconds long. */
export function recognizerContract(
  createRecognizer: () => SpeechRecognizer,
  loadSample: () => Promise<SpokenSample>,
): void {
  describe('a recognizer', { timeout: 180_000 }, () => {
    it('is ready on the test machine', async () => {
      expect(await createRecognizer().readiness()).toEqual({ status: 'ready' });
    });

    it('returns ordered words with times and confidences, and reports progress', async () => {
      const sample = await loadSample();
      const fractions: number[] = [];
      const { words, engine } = await createRecognizer().transcribe({
        audio: { kind: 'pcm', samples: sample.samples },
        language: sample.language,
        onProgress: (fraction) => fractions.push(fraction),
      });
      const transcript = words.map((word) => word.text).join(' ');
      expect(wordErrorRate(sample.transcript, transcript)).toBeLessThanOrEqual(sample.maxErrorRate);
      expect(engine).toContain(createRecognizer().id);
      let clock = 0;
      for (const word of words) {
        expect(word.text).toMatch(/^[^\s<>[\]()]+$/u);
        expect(word.start).toBeGreaterThanOrEqual(clock);
        expect(word.end).toBeGreaterThanOrEqual(word.start);
        expect(word.confidence).toBeGreaterThanOrEqual(0);
        expect(word.confidence).toBeLessThanOrEqual(1);
        clock = word.end;
      }
      expect(clock).toBeLessThanOrEqual(sample.samples.length / SPEECH_SAMPLE_RATE);
      expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
      expect(fractions.at(-1)).toBeCloseTo(1);
    });

    it('returns the same words for a file and for samples in memory', async () => {
      const sample = await loadSample();
      const samples = sample.samples.subarray(0, 8 * SPEECH_SAMPLE_RATE);
      const { language } = sample;
      await withScratch(async (folder) => {
        const path = join(folder, 'a name with spaces.wav');
        await writeFile(path, writeWave(samples, SPEECH_SAMPLE_RATE));
        const recognizer = createRecognizer();
        const inFile = await recognizer.transcribe({ audio: { kind: 'wav', path }, language });
        const inMemory = await recognizer.transcribe({ audio: { kind: 'pcm', samples }, language });
        expect(inFile.words.length).toBeGreaterThan(5);
        expect(inFile).toEqual(inMemory);
      });
    });

    it('returns no words for silence', async () => {
      const sample = await loadSample();
      const fractions: number[] = [];
      const { words } = await createRecognizer().transcribe({
        audio: { kind: 'pcm', samples: new Int16Array(3 * SPEECH_SAMPLE_RATE) },
        language: sample.language,
        onProgress: (fraction) => fractions.push(fraction),
      });
      expect(words).toEqual([]);
      expect(fractions).toEqual([1]);
    });

    it('rejects an unsupported language', async () => {
      const { samples } = await loadSample();
      const audio = { kind: 'pcm', samples } as const;
      await expect(createRecognizer().transcribe({ audio, language: 'tlh' })).rejects.toMatchObject(
        {
          code: 'language-unsupported',
          retryable: false,
        },
      );
    });

    it('rejects a file that is not a 16 kHz mono WAV', async () => {
      const { language } = await loadSample();
      await withScratch(async (folder) => {
        const samples = new Int16Array(4000);
        const stereo = writeWave(samples, SPEECH_SAMPLE_RATE);
        new DataView(stereo.buffer).setUint16(22, 2, true);
        const files = {
          'empty.wav': new Uint8Array(),
          'text.wav': new TextEncoder().encode('this is no audio at all, whatever its name says'),
          'cut-off.wav': writeWave(samples, SPEECH_SAMPLE_RATE).subarray(0, 20),
          'fast.wav': writeWave(samples, 48_000),
          'stereo.wav': stereo,
        };
        for (const [name, bytes] of Object.entries(files))
          await writeFile(join(folder, name), bytes);
        for (const name of [...Object.keys(files), 'absent.wav']) {
          const audio = { kind: 'wav', path: join(folder, name) } as const;
          await expect(
            createRecognizer().transcribe({ audio, language }),
            name,
          ).rejects.toMatchObject({ code: 'audio-unreadable' });
        }
      });
    });

    it('stops when aborted, before it starts and midway', async () => {
      const { samples, language } = await loadSample();
      const audio = { kind: 'pcm', samples } as const;
      await expect(
        createRecognizer().transcribe({ audio, language, signal: AbortSignal.abort() }),
      ).rejects.toMatchObject({ code: 'aborted' });

      const controller = new AbortController();
      let lastFraction = 0;
      await expect(
        createRecognizer().transcribe({
          audio,
          language,
          signal: controller.signal,
          onProgress: (fraction) => {
            lastFraction = fraction;
            controller.abort();
          },
        }),
      ).rejects.toMatchObject({ code: 'aborted' });
      // The abort happened midway.
      expect(lastFraction).toBeGreaterThan(0);
      expect(lastFraction).toBeLessThan(1);
    });
  });
}

/** Registers the tests that every recognizer with a model must pass. The sample is at least six seconds long. */
export function loadedRecognizerContract(
  createRecognizer: () => SpeechRecognizer,
  loadSample: () => Promise<SpokenSample>,
): void {
  describe('a loaded recognizer', { timeout: 180_000 }, () => {
    it('recognizes slices one after another, with times from the start of each', async () => {
      const { samples, language } = await loadSample();
      const slice = samples.subarray(0, 6 * SPEECH_SAMPLE_RATE);
      const audio = { kind: 'pcm', samples: slice } as const;
      const { words: expected, ...expectedTraits } = await createRecognizer().transcribe({
        audio,
        language,
      });
      expect(expected.length).toBeGreaterThan(5);
      const { signal } = new AbortController();
      const loaded = await createRecognizer().load?.(language);
      if (!loaded) throw new Error('the recognizer has no model to load');
      try {
        for (let slices = 0; slices < 2; slices += 1) {
          const { words, ...traits } = await loaded.recognize(slice, signal);
          expect(traits).toEqual(expectedTraits);
          // An engine adapts to the speaker, so that later slices may differ.
          expect(wordErrorRate(textOf(expected), textOf(words))).toBeLessThanOrEqual(0.3);
          const [first, last] = [words[0], words.at(-1)];
          expect(Math.abs((first?.start ?? 0) - (expected[0]?.start ?? 0))).toBeLessThan(0.5);
          expect(Math.abs((last?.end ?? 0) - (expected.at(-1)?.end ?? 0))).toBeLessThan(0.5);
        }
      } finally {
        await loaded.close();
      }
      await expect(loaded.recognize(slice, signal)).rejects.toMatchObject({ code: 'aborted' });
    });
  });
}

const textOf = (words: readonly RecognizedWord[]) => words.map(({ text }) => text).join(' ');
