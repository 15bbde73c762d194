/**
 * Speaks a script with flite (the Debian package `flite`): the sound, and when each word of it is said.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKET_SAMPLES, SAMPLE_RATE } from '@linnet/audio/format';
import { parseWave } from '@linnet/audio/wave';
import type { SceneScript, Voice } from './scripts.ts';

/** Seconds of quiet before the first word and after the last. */
const EDGE = 0.6;
/** Seconds between sentences and between paragraphs, as somebody speaks who thinks along. */
const SENTENCE_GAP = 0.6;
const PARAGRAPH_GAP = 1.1;
/** What flite leaves around a sentence is below this; it is cut off, so that the gaps above hold. */
const QUIET = 200;
/** The voices speak hastily by default; this is an unhurried pace. */
const STRETCH = 1.12;
/** Loudest sample of every sentence: the two voices come at different levels. */
const PEAK = 20_000;

/** A word as the script writes it; times in seconds. */
export interface SaidWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly voice: Voice;
}

function silence(seconds: number): Int16Array {
  return new Int16Array(Math.round(seconds * SAMPLE_RATE));
}

/** The ends of the sounds that a text is made of, in seconds; pauses are left out, but keep their time. */
function phones(voice: Voice, text: string, wave: string): { start: number; end: number }[] {
  const printed = execFileSync(
    'flite',
    [
      ...['-voice', voice, '--setf', `duration_stretch=${STRETCH}`],
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

/**
 * Speaks a sentence. A word takes as many sounds as flite makes of it by itself.
 * @throws Error when the sounds of the words are not those of the sentence
 */
function speak(voice: Voice, sentence: string, folder: string) {
  const path = join(folder, 'sentence.wav');
  const sounds = phones(voice, sentence, path);
  const wave = parseWave(readFileSync(path));
  if (wave.sampleRate !== SAMPLE_RATE || wave.channels !== 1) {
    throw new Error(`flite gave ${wave.sampleRate} Hz, ${wave.channels} channels`);
  }
  const loud = (sample: number) => Math.abs(sample) > QUIET;
  const from = wave.samples.findIndex(loud);
  const spoken = wave.samples.slice(from, wave.samples.findLastIndex(loud) + 1);
  const loudest = spoken.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1);
  let next = 0;
  const words = sentence.split(' ').map((text) => {
    const first = next;
    next += phones(voice, text.replace(/[.,?]/g, ''), join(folder, 'word.wav')).length;
    const start = (sounds[first]?.start ?? 0) - from / SAMPLE_RATE;
    const end = (sounds[next - 1]?.end ?? 0) - from / SAMPLE_RATE;
    return { text, voice, start: Math.max(0, start), end };
  });
  if (next !== sounds.length) {
    throw new Error(`"${sentence}" has ${sounds.length} sounds, and its words ${next}`);
  }
  return { samples: spoken.map((sample) => Math.round((sample * PEAK) / loudest)), words };
}

/**
 * Speaks a script. @returns whole packets of 16 kHz PCM, for the recorder knows no shorter ones
 * @param folder where files may lie for a moment
 */
export function perform(
  script: SceneScript,
  folder: string,
): { samples: Int16Array; words: SaidWord[] } {
  const parts = [silence(EDGE)];
  const words: SaidWord[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Int16Array) => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, paragraph] of script.paragraphs.entries()) {
    if (index > 0) add(silence(PARAGRAPH_GAP));
    for (const [nth, sentence] of paragraph.sentences.entries()) {
      if (nth > 0) add(silence(SENTENCE_GAP));
      const at = length / SAMPLE_RATE;
      const said = speak(paragraph.voice, sentence, folder);
      for (const word of said.words) {
        words.push({ ...word, start: at + word.start, end: at + word.end });
      }
      add(said.samples);
    }
  }
  add(silence(EDGE));
  const samples = new Int16Array(Math.ceil(length / PACKET_SAMPLES) * PACKET_SAMPLES);
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return { samples, words };
}
