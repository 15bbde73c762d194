import { createPocketSphinx } from '../src/providers/speech/pocketsphinx/index.ts';
import { SPEECH_SAMPLE_RATE } from '../src/providers/speech/port.ts';
import { readScene, sceneNames, throughOpus } from '../src/providers/speech/scene-audio.ts';
import { pooledWordErrorRate, wordErrorRate } from '../src/transcript/word-error-rate.ts';
import { transcribePlainly } from './plain-engine.ts';
import type { RealSpeech } from './real-speech.ts';
import { hear, joined, readEnglish, rotations } from './real-speech.ts';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What else one needs to read it. */
  readonly detail?: Readonly<Record<string, number | string>>;
}

/** How often each speed is measured. */
const turns = 3;

/** Speech figures. Says in a sentence what it leaves out and why. */
export async function run(log: (sentence: string) => void = console.error): Promise<Figure[]> {
  const figures = await speeds();
  const folder = process.env.SPEECH_DIR;
  if (!folder) {
    log('Word error rates on real speech are left out: SPEECH_DIR names no folder.');
    return figures;
  }
  const recordings = await readEnglish(folder);
  return [...figures, ...(await errorRates(recordings, log)), ...(await slicing(recordings))];
}

/** All scenes in one file: our adapter beside the engine run plainly, and beside itself on one core. */
async function speeds(): Promise<Figure[]> {
  const scenes = await Promise.all((await sceneNames()).map(readScene));
  const samples = joined(
    scenes.map((scene) => scene.samples),
    0,
  );
  const audio = { kind: 'pcm', samples } as const;
  const transcribe = (processes: number) => () =>
    createPocketSphinx({ processes }).transcribe({ audio, language: 'en' });
  // In turns, and the best of each: other people's load only ever makes a run longer.
  const runs = { engine: () => transcribePlainly(samples), one: transcribe(1), two: transcribe(2) };
  const best = { engine: Infinity, one: Infinity, two: Infinity };
  for (let turn = 0; turn < turns; turn += 1) {
    for (const name of ['engine', 'one', 'two'] as const) {
      best[name] = Math.min(best[name], await seconds(runs[name]));
    }
  }
  const { engine, one, two } = best;
  const detail = {
    audioSeconds: round(samples.length / SPEECH_SAMPLE_RATE),
    engineSeconds: round(engine),
    oneAtATimeSeconds: round(one),
    twoAtOnceSeconds: round(two),
  };
  return [
    {
      name: 'transcription wall time ÷ engine wall time',
      value: round(two / engine),
      unit: 'ratio',
      detail,
    },
    {
      name: 'transcription speed, two slices at once ÷ one',
      value: round(one / two),
      unit: 'ratio',
      detail,
    },
  ];
}

/** A row for each recording, as it is and as the recorder would send it. */
async function errorRates(
  recordings: readonly RealSpeech[],
  log: (sentence: string) => void,
): Promise<Figure[]> {
  const rows: { file: string; said: string; plain: string; opus: string }[] = [];
  for (const { file, transcript: said, samples } of recordings) {
    const plain = await hear(samples);
    rows.push({ file, said, plain, opus: await hear(await throughOpus(samples)) });
  }
  const width = Math.max(...rows.map(({ file }) => file.length));
  const line = (...[file, words, plain, opus]: readonly [string, string, string, string]) =>
    log(`${file.padEnd(width)}  ${words.padStart(5)}  ${plain.padStart(6)}  ${opus.padStart(7)}`);
  line('word error rate', 'words', 'whole', 'in Opus');
  for (const { file, said, plain, opus } of rows) {
    const rates = [wordErrorRate(said, plain), wordErrorRate(said, opus)].map(percent);
    line(file, String(said.split(/\s+/).length), rates[0] as string, rates[1] as string);
  }
  return (['plain', 'opus'] as const).map((way) => ({
    name: `speech word error rate, ${way === 'plain' ? 'whole' : 'through Opus'}`,
    value: round(pooledWordErrorRate(rows.map((row) => ({ said: row.said, heard: row[way] })))),
    unit: 'errors/word',
    detail: { recordings: rows.length },
  }));
}

/** All recordings in one, so that there is something to slice, in three orders. */
async function slicing(recordings: readonly RealSpeech[]): Promise<Figure[]> {
  const texts: { said: string; whole: string; sliced: string }[] = [];
  for (const order of rotations(recordings, 3)) {
    const samples = joined(order.map((recording) => recording.samples));
    const whole = await transcribePlainly(samples);
    texts.push({
      said: order.map(({ transcript }) => transcript).join(' '),
      whole: whole.map(({ text }) => text).join(' '),
      sliced: await hear(samples),
    });
  }
  const rate = (way: 'whole' | 'sliced') =>
    pooledWordErrorRate(texts.map((text) => ({ said: text.said, heard: text[way] })));
  return [
    {
      name: 'speech word error rate, sliced − in one piece',
      value: round((rate('sliced') - rate('whole')) * 100),
      unit: 'points',
      detail: { sliced: round(rate('sliced')), inOnePiece: round(rate('whole')) },
    },
  ];
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
