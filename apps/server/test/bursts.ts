/** Recordings of bursts of noise, and an engine that recognizes one word per burst. */
import { readFile } from 'node:fs/promises';
import { PacketEncoder } from '@linnet/audio/convert';
import type { OpusModule } from '@linnet/audio/opus';
import { SPEECH_SAMPLE_RATE, type TranscribeRequest } from '../src/providers/speech/port.ts';

/** Encodes bursts of noise, each one second long and followed by a pause in seconds. */
export function encodeBursts(opus: OpusModule, pauses: readonly number[]): Uint8Array {
  const samples: number[] = Array(SPEECH_SAMPLE_RATE / 2).fill(0);
  let seed = 1;
  for (const pause of pauses) {
    for (let index = 0; index < SPEECH_SAMPLE_RATE; index += 1) {
      seed = (seed * 16_807) % 2_147_483_647;
      samples.push((seed / 2_147_483_647 - 0.5) * 16_000);
    }
    samples.push(...Array(Math.round(pause * SPEECH_SAMPLE_RATE)).fill(0));
  }
  const encoder = new PacketEncoder(opus);
  try {
    return Buffer.concat([encoder.push(Int16Array.from(samples)), encoder.end()]);
  } finally {
    encoder.free();
  }
}

/** Recognizes one word per burst of noise. */
export async function recognizeBursts({ audio }: TranscribeRequest) {
  const samples =
    audio.kind === 'pcm'
      ? audio.samples
      : new Int16Array((await readFile(audio.path)).buffer.slice(44));
  const block = SPEECH_SAMPLE_RATE / 100;
  const words = [];
  let start = -1;
  for (let offset = 0; offset <= samples.length; offset += block) {
    const isLoud =
      offset < samples.length &&
      Math.max(...samples.subarray(offset, offset + block).map(Math.abs)) > 2000;
    if (isLoud && start < 0) start = offset;
    if (isLoud || start < 0) continue;
    const [from, to] = [start / SPEECH_SAMPLE_RATE, offset / SPEECH_SAMPLE_RATE];
    if (to - from > 0.2) words.push({ text: 'burst', start: from, end: to, confidence: 1 });
    start = -1;
  }
  return { words, language: 'en', engine: 'scripted/one', punctuated: true };
}
