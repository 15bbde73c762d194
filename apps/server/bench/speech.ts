import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeWave } from '@linnet/audio/wave';
import { NICENESS } from '../src/providers/speech/child.ts';
import { createPocketSphinx, DECODER_FLAGS } from '../src/providers/speech/pocketsphinx/index.ts';
import { findPocketSphinx } from '../src/providers/speech/pocketsphinx/installation.ts';
import { SPEECH_SAMPLE_RATE } from '../src/providers/speech/port.ts';
import { readScene, sceneNames } from '../src/providers/speech/scene-audio.ts';
import { withScratch } from '../src/providers/speech/scratch.ts';
import { errorRateOf, readEnglish } from './real-speech.ts';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What else one needs to read it. */
  readonly detail?: Readonly<Record<string, number | string>>;
}

/** Speech figures. Says in a sentence what it leaves out and why. */
export async function run(log: (sentence: string) => void = console.error): Promise<Figure[]> {
  const figures = [await wallTimeRatio()];
  const folder = process.env.SPEECH_DIR;
  if (!folder) {
    log('Word error rates on real speech are left out: SPEECH_DIR names no folder.');
    return figures;
  }
  const recordings = await readEnglish(folder);
  for (const way of ['plain', 'through-opus'] as const) {
    figures.push({
      name: `speech word error rate, ${way}`,
      value: round(await errorRateOf(recordings, way)),
      unit: 'errors/word',
      detail: { recordings: recordings.length },
    });
  }
  return figures;
}

/** All scenes in one file: our adapter against the engine run plainly, same flags, one after the other. */
async function wallTimeRatio(): Promise<Figure> {
  const scenes = await Promise.all((await sceneNames()).map(readScene));
  const samples = new Int16Array(scenes.reduce((sum, scene) => sum + scene.samples.length, 0));
  let at = 0;
  for (const scene of scenes) {
    samples.set(scene.samples, at);
    at += scene.samples.length;
  }
  return withScratch(async (folder) => {
    const path = join(folder, 'audio.wav');
    await writeFile(path, writeWave(samples, SPEECH_SAMPLE_RATE));
    const engine = await seconds(() => plainEngine(folder));
    const ours = await seconds(() =>
      createPocketSphinx().transcribe({ audio: { kind: 'wav', path }, language: 'en' }),
    );
    return {
      name: 'transcription wall time ÷ engine wall time',
      value: round(ours / engine),
      unit: 'ratio',
      detail: {
        audioSeconds: round(samples.length / SPEECH_SAMPLE_RATE),
        ourSeconds: round(ours),
        engineSeconds: round(engine),
      },
    };
  });
}

/** The engine over `audio.wav` in a folder, whole, in one process. */
async function plainEngine(folder: string): Promise<void> {
  const search = await findPocketSphinx(process.env.ENGINES_DIR);
  if (search.status === 'missing') throw new Error(`PocketSphinx: ${search.code}`);
  const { program, acousticModel, dictionary, languageModel, env } = search.installation;
  const control = join(folder, 'plain.ctl');
  await writeFile(control, 'audio\n');
  const args = [
    ...['-hmm', acousticModel, '-dict', dictionary, '-lm', languageModel],
    ...['-adcin', 'yes', '-adchdr', '44', '-cepdir', folder, '-cepext', '.wav'],
    ...['-ctl', control, '-ctm', join(folder, 'plain.ctm'), '-logfn', join(folder, 'plain.log')],
    ...DECODER_FLAGS,
  ];
  // with the priority that ours has, or a busy machine would make the comparison
  await promisify(execFile)('nice', ['-n', NICENESS, program, ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
