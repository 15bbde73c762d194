import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseWave, writeWave } from '@linnet/audio/wave';
import { createPocketSphinx } from '../src/providers/speech/pocketsphinx/index.ts';
import type { RecognizedWord } from '../src/providers/speech/port.ts';
import { SPEECH_SAMPLE_RATE } from '../src/providers/speech/port.ts';
import { roundTripThroughOpus } from '../src/providers/speech/scene-audio.ts';
import { withScratch } from '../src/providers/speech/scratch.ts';
import { createLevelDetector } from '../src/providers/voice/level.ts';
import { pooledWordErrorRate } from '../src/transcript/word-error-rate.ts';

/** A recording in the folder `SPEECH_DIR`, described by its `manifest.json`. */
export interface RealSpeech {
  readonly file: string;
  readonly transcript: string;
  /** Samples at 16 kHz, mono. */
  readonly samples: Int16Array;
}

/** Reads the English recordings of a speech folder. */
export async function readEnglish(folder: string): Promise<RealSpeech[]> {
  const manifest: { file: string; lang: string; transcript: string }[] = JSON.parse(
    await readFile(join(folder, 'manifest.json'), 'utf8'),
  );
  const recordings: RealSpeech[] = [];
  for (const { file, transcript } of manifest.filter(({ lang }) => lang === 'en')) {
    const { samples } = parseWave(await readFile(join(folder, file)));
    recordings.push({ file, transcript, samples });
  }
  return recordings;
}

/** Detects speech in a 16 kHz mono file with the detector that needs no model, because PocketSphinx needs none either. */
const detector = createLevelDetector();

/**
 * Recognizes the words in 16 kHz mono samples with our adapter, as the pipeline does: only in the detected speech.
 * @param scope `all` to recognize everything without detecting speech
 */
export async function recognizeWords(
  samples: Int16Array,
  vocabulary: readonly string[] = [],
  scope: 'speech' | 'all' = 'speech',
): Promise<readonly RecognizedWord[]> {
  return withScratch(async (folder) => {
    const path = join(folder, 'speech.wav');
    await writeFile(path, writeWave(samples, SPEECH_SAMPLE_RATE));
    const segments = scope === 'speech' ? await detector.detect({ path }) : null;
    const { words } = await createPocketSphinx().transcribe({
      audio: { kind: 'wav', path },
      language: 'en',
      vocabulary,
      ...(segments && { segments }),
    });
    return words;
  });
}

/** Recognizes samples like {@link recognizeWords}, without a vocabulary. Returns plain text. */
export async function recognizeText(
  samples: Int16Array,
  scope: 'speech' | 'all' = 'speech',
): Promise<string> {
  return (await recognizeWords(samples, [], scope)).map(({ text }) => text).join(' ');
}

/** Returns the pooled word error rate of our adapter, for plain audio or for audio encoded the way the recorder does. */
export async function measureErrorRate(
  recordings: readonly RealSpeech[],
  encoding: 'plain' | 'through-opus',
): Promise<number> {
  const texts: { reference: string; transcript: string }[] = [];
  for (const { transcript, samples } of recordings) {
    const recognized = await recognizeText(
      encoding === 'plain' ? samples : await roundTripThroughOpus(samples),
    );
    texts.push({ reference: transcript, transcript: recognized });
  }
  return pooledWordErrorRate(texts);
}

/** Concatenates samples with silence between them. */
export function concatenate(
  parts: readonly Int16Array[],
  gapSeconds = 0.6,
): Int16Array<ArrayBuffer> {
  const gap = Math.round(gapSeconds * SPEECH_SAMPLE_RATE);
  const length = parts.reduce((sum, part) => sum + part.length + gap, 0);
  const samples = new Int16Array(length);
  let offset = 0;
  for (const part of parts) {
    samples.set(part, offset);
    offset += part.length + gap;
  }
  return samples;
}

/** Rotations of a list, starting at evenly spaced positions. */
export function rotations<Item>(items: readonly Item[], count: number): Item[][] {
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * items.length) / count);
    return [...items.slice(from), ...items.slice(0, from)];
  });
}
