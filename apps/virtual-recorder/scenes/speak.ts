/** Synthesizes a script with flite (Debian package `flite`). Returns its audio and the time of each word. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKET_SAMPLES, SAMPLE_RATE } from '@linnet/audio/format';
import { parseWave } from '@linnet/audio/wave';
import type { SceneScript, Voice } from './scripts.ts';

/** Silence before the first word and after the last word, in seconds. */
const EDGE_SECONDS = 0.6;
/** Pauses between sentences and between paragraphs in seconds, as in natural speech. */
const SENTENCE_GAP_SECONDS = 0.6;
const PARAGRAPH_GAP_SECONDS = 1.1;
/** Amplitude of the silence that flite adds around each sentence. It is trimmed to make the pauses above exact. */
const SILENCE_AMPLITUDE = 200;
/** Factor by which to slow down speech, because the voices speak too fast by default. */
const DURATION_FACTOR = 1.12;
/** Peak amplitude to normalize each sentence to, because the two voices have different levels. */
const PEAK_AMPLITUDE = 20_000;

/** A word of the script. Times are in seconds. */
export interface SpokenWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly voice: Voice;
}

function silence(seconds: number): Int16Array {
  return new Int16Array(Math.round(seconds * SAMPLE_RATE));
}

/**
 * Synthesizes a text to a WAV file. Returns the start and end times of its phonemes, in seconds. Pauses are omitted,
 * but still advance the time.
 */
function synthesizeWithPhonemes(
  voice: Voice,
  text: string,
  wave: string,
): { start: number; end: number }[] {
  const printed = execFileSync(
    'flite',
    [
      ...['-voice', voice, '--setf', `duration_stretch=${DURATION_FACTOR}`],
      ...['-psdur', '-t', text, '-o', wave],
    ],
    { encoding: 'utf8' },
  );
  const all = printed
    .trim()
    .split(/\s+/)
    .map((part) => part.split(':'));
  return all.flatMap(([name, end], index) => {
    const start = Number(all[index - 1]?.[1] ?? 0);
    return name === 'pau' ? [] : [{ start, end: Number(end) }];
  });
}

/** Synthesizes a sentence. */
function synthesizeSentence(voice: Voice, sentence: string, folder: string) {
  const path = join(folder, 'sentence.wav');
  const phonemes = synthesizeWithPhonemes(voice, sentence, path);
  const wave = parseWave(readFileSync(path));
  if (wave.sampleRate !== SAMPLE_RATE || wave.channels !== 1) {
    throw new Error(`unexpected format: ${wave.sampleRate} Hz, ${wave.channels} channels`);
  }
  const isLoud = (sample: number) => Math.abs(sample) > SILENCE_AMPLITUDE;
  const from = wave.samples.findIndex(isLoud);
  const speech = wave.samples.slice(from, wave.samples.findLastIndex(isLoud) + 1);
  const loudest = speech.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1);
  return {
    samples: speech.map((sample) => Math.round((sample * PEAK_AMPLITUDE) / loudest)),
    phonemes: phonemes.map(({ start, end }) => ({
      start: start - from / SAMPLE_RATE,
      end: end - from / SAMPLE_RATE,
    })),
  };
}

/**
 * Returns the times of a sentence's words. Assumes that each word has as many phonemes in the sentence as when spoken
 * alone.
 * @throws Error if the words' total number of phonemes differs from the sentence's
 */
function timeWords(
  voice: Voice,
  sentence: string,
  phonemes: readonly { start: number; end: number }[],
  folder: string,
): SpokenWord[] {
  let next = 0;
  const words = sentence.split(' ').map((text) => {
    const first = next;
    next += synthesizeWithPhonemes(
      voice,
      text.replace(/[.,?]/g, ''),
      join(folder, 'word.wav'),
    ).length;
    const start = phonemes[first]?.start ?? 0;
    return { text, voice, start: Math.max(0, start), end: phonemes[next - 1]?.end ?? 0 };
  });
  if (next !== phonemes.length) {
    throw new Error(
      `"${sentence}" has ${phonemes.length} phonemes, but its words have ${next} in total`,
    );
  }
  return words;
}

/**
 * Synthesizes a script.
 * @returns 16 kHz PCM, padded to complete packets
 * @param folder the folder for temporary files
 * @param timed whether to find the words' times, which isn't possible for every sentence
 */
export function synthesize(
  script: SceneScript,
  folder: string,
  timed: boolean,
): { samples: Int16Array; words: SpokenWord[] } {
  const parts = [silence(EDGE_SECONDS)];
  const words: SpokenWord[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Int16Array) => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, paragraph] of script.paragraphs.entries()) {
    if (index > 0) add(silence(PARAGRAPH_GAP_SECONDS));
    for (const [nth, sentence] of paragraph.sentences.entries()) {
      if (nth > 0) add(silence(SENTENCE_GAP_SECONDS));
      const offset = length / SAMPLE_RATE;
      const { voice } = paragraph;
      const { samples, phonemes } = synthesizeSentence(voice, sentence, folder);
      for (const word of timed ? timeWords(voice, sentence, phonemes, folder) : []) {
        words.push({ ...word, start: offset + word.start, end: offset + word.end });
      }
      add(samples);
    }
  }
  add(silence(EDGE_SECONDS));
  const samples = new Int16Array(Math.ceil(length / PACKET_SAMPLES) * PACKET_SAMPLES);
  let offset = 0;
  for (const part of parts) {
    samples.set(part, offset);
    offset += part.length;
  }
  return { samples, words };
}
