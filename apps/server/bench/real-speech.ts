import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseWave } from '@linnet/audio/wave';
import { createPocketSphinx } from '../src/providers/speech/pocketsphinx/index.ts';
import { SPEECH_SAMPLE_RATE } from '../src/providers/speech/port.ts';
import { throughOpus } from '../src/providers/speech/scene-audio.ts';
import { pooledWordErrorRate } from '../src/transcript/word-error-rate.ts';

/** One recording of the folder named by `SPEECH_DIR`, as its `manifest.json` describes it. */
export interface RealSpeech {
  readonly file: string;
  readonly transcript: string;
  /** 16 kHz mono. */
  readonly samples: Int16Array;
}

/** The English recordings of a speech folder. */
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

/** What our adapter hears in 16 kHz mono samples, as plain text. */
export async function hear(samples: Int16Array): Promise<string> {
  const { words } = await createPocketSphinx().transcribe({
    audio: { kind: 'pcm', samples },
    language: 'en',
  });
  return words.map((word) => word.text).join(' ');
}

/** Word error rate of our adapter over all recordings together, plain or as the recorder would send them. */
export async function errorRateOf(
  recordings: readonly RealSpeech[],
  way: 'plain' | 'through-opus',
): Promise<number> {
  const texts: { said: string; heard: string }[] = [];
  for (const { transcript, samples } of recordings) {
    const heard = await hear(way === 'plain' ? samples : await throughOpus(samples));
    texts.push({ said: transcript, heard });
  }
  return pooledWordErrorRate(texts);
}

/** Samples one after another, with so many seconds of silence between. */
export function joined(parts: readonly Int16Array[], gapSeconds = 0.6): Int16Array<ArrayBuffer> {
  const gap = Math.round(gapSeconds * SPEECH_SAMPLE_RATE);
  const length = parts.reduce((sum, part) => sum + part.length + gap, 0);
  const samples = new Int16Array(length);
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length + gap;
  }
  return samples;
}

/** The list begun at so many places, evenly apart. */
export function rotations<Item>(items: readonly Item[], count: number): Item[][] {
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * items.length) / count);
    return [...items.slice(from), ...items.slice(0, from)];
  });
}
