/**
 * Speaks the scripts with flite and writes the scenes that ship:
 *
 *   node apps/virtual-recorder/scenes/generate.ts
 *
 * Only needed after a change of `scripts.ts`; wants the Debian package `flite`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKET_BYTES, PACKET_SAMPLES, SAMPLE_RATE } from '@linnet/audio/format';
import { muxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { parseWave } from '@linnet/audio/wave';
import { type SceneScript, scripts, type Voice } from './scripts.ts';

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

function silence(seconds: number): Int16Array {
  return new Int16Array(Math.round(seconds * SAMPLE_RATE));
}

function speak(voice: Voice, sentence: string, folder: string): Int16Array {
  const path = join(folder, 'sentence.wav');
  execFileSync('flite', [
    ...['-voice', voice, '--setf', `duration_stretch=${STRETCH}`],
    ...['-t', sentence, '-o', path],
  ]);
  const wave = parseWave(readFileSync(path));
  if (wave.sampleRate !== SAMPLE_RATE || wave.channels !== 1) {
    throw new Error(`flite gave ${wave.sampleRate} Hz, ${wave.channels} channels`);
  }
  const loud = (sample: number) => Math.abs(sample) > QUIET;
  const spoken = wave.samples.slice(
    wave.samples.findIndex(loud),
    wave.samples.findLastIndex(loud) + 1,
  );
  const loudest = spoken.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1);
  return spoken.map((sample) => Math.round((sample * PEAK) / loudest));
}

function perform(script: SceneScript, folder: string): Int16Array {
  const parts = [silence(EDGE)];
  for (const [index, paragraph] of script.paragraphs.entries()) {
    if (index > 0) parts.push(silence(PARAGRAPH_GAP));
    for (const [nth, sentence] of paragraph.sentences.entries()) {
      if (nth > 0) parts.push(silence(SENTENCE_GAP));
      parts.push(speak(paragraph.voice, sentence, folder));
    }
  }
  parts.push(silence(EDGE));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // whole packets: the recorder knows no shorter ones
  const samples = new Int16Array(Math.ceil(length / PACKET_SAMPLES) * PACKET_SAMPLES);
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return samples;
}

const opus = await loadOpus(readOpusWasm());
const folder = mkdtempSync(join(tmpdir(), 'scenes-'));
try {
  for (const script of scripts) {
    const samples = perform(script, folder);
    const encoder = opus.createEncoder();
    const packets = new Uint8Array((samples.length / PACKET_SAMPLES) * PACKET_BYTES);
    for (let at = 0, to = 0; at < samples.length; at += PACKET_SAMPLES, to += PACKET_BYTES) {
      packets.set(encoder.encode(samples.subarray(at, at + PACKET_SAMPLES)), to);
    }
    encoder.free();
    const { name, title, mode, scene, paragraphs } = script;
    const transcript = paragraphs.map(({ sentences }) => sentences.join(' ')).join('\n');
    const file = (extension: string) => new URL(`${name}.${extension}`, import.meta.url);
    writeFileSync(file('ogg'), muxOgg(packets));
    writeFileSync(file('json'), `${JSON.stringify({ title, mode, scene, transcript }, null, 2)}\n`);
    console.log(`${name}: ${(samples.length / SAMPLE_RATE).toFixed(1)} s`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
