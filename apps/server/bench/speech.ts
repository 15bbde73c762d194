import { limits } from '@linnet/contract/limits';
import { createPocketSphinx } from '../src/providers/speech/pocketsphinx/index.ts';
import type { RecognizedWord } from '../src/providers/speech/port.ts';
import { SPEECH_SAMPLE_RATE } from '../src/providers/speech/port.ts';
import {
  NAMES_SCENE,
  readScene,
  roundTripThroughOpus,
  sceneNames,
} from '../src/providers/speech/scene-audio.ts';
import { applyVocabulary } from '../src/transcript/vocabulary.ts';
import { pooledWordErrorRate, wordErrorRate } from '../src/transcript/word-error-rate.ts';
import { transcribeWithEngineOnly } from './engine-only.ts';
import type { RealSpeech } from './real-speech.ts';
import {
  concatenate,
  readEnglish,
  recognizeText,
  recognizeWords,
  rotations,
} from './real-speech.ts';

export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The limits that the product promises, if any. A value outside of them fails the run. */
  readonly most?: number;
  readonly least?: number;
  /** The context for interpreting the value. */
  readonly detail?: Readonly<Record<string, number | string>>;
}

/** Number of measurements of each speed. */
const rounds = 3;

/** Measures speech recognition. Logs a sentence about each measurement that is omitted. */
export async function run(log: (sentence: string) => void = console.error): Promise<Measurement[]> {
  const measurements = [...(await speeds()), ...(await vocabulary(log))];
  const folder = process.env.SPEECH_DIR;
  const recordings = folder ? await readEnglish(folder) : [];
  measurements.push(await detection(recordings, log));
  if (!folder) {
    log('Word error rates on real speech are omitted because SPEECH_DIR is not set.');
    return measurements;
  }
  return [
    ...measurements,
    ...(await errorRates(recordings, log)),
    ...(await measureSlicing(recordings)),
  ];
}

/**
 * Measures the speed of our adapter on all scenes in one file, relative to the engine alone and to the adapter with a
 * single process.
 */
async function speeds(): Promise<Measurement[]> {
  const scenes = await Promise.all((await sceneNames()).map(readScene));
  const samples = concatenate(
    scenes.map((scene) => scene.samples),
    0,
  );
  const audio = { kind: 'pcm', samples } as const;
  const transcribe = (processes: number) => () =>
    createPocketSphinx({ processes }).transcribe({ audio, language: 'en' });
  // Take turns, and use the fastest run of each, because other load can only slow a run down.
  const runs = {
    engine: () => transcribeWithEngineOnly(samples),
    one: transcribe(1),
    two: transcribe(2),
  };
  const best = { engine: Infinity, one: Infinity, two: Infinity };
  for (let attempt = 0; attempt < rounds; attempt += 1) {
    for (const name of ['engine', 'one', 'two'] as const) {
      best[name] = Math.min(best[name], await seconds(runs[name]));
    }
  }
  const { engine, one, two } = best;
  const detail = {
    audioSeconds: round(samples.length / SPEECH_SAMPLE_RATE),
    engineSeconds: round(engine),
    sequentialSeconds: round(one),
    concurrentSeconds: round(two),
  };
  return [
    {
      name: 'transcription wall time ÷ engine wall time',
      value: round(two / engine),
      unit: 'ratio',
      detail,
    },
    {
      name: 'transcription speed, two concurrent slices ÷ one',
      value: round(one / two),
      unit: 'ratio',
      detail,
    },
  ];
}

/**
 * Measures which names in {@link NAMES_SCENE} are recognized with and without the vocabulary, and how many
 * high-confidence words in the other scenes change with the vocabulary.
 */
async function vocabulary(log: (sentence: string) => void): Promise<Measurement[]> {
  const { names } = await readScene(NAMES_SCENE);
  const recognize = async (scene: string, list: readonly string[]) =>
    applyVocabulary(await recognizeWords((await readScene(scene)).samples, list), list);
  const includes = (words: readonly RecognizedWord[], name: string) =>
    words.some(({ text }) => text.toLowerCase() === name.toLowerCase());
  const [before, after] = [await recognize(NAMES_SCENE, []), await recognize(NAMES_SCENE, names)];
  for (const name of names) {
    const [withoutList, withList] = [before, after].map((words) =>
      includes(words, name) ? 'yes' : 'no',
    );
    log(`${name.padEnd(12)}  without vocabulary: ${withoutList?.padEnd(3)}  with: ${withList}`);
  }
  let [confidentCount, changedCount] = [0, 0];
  for (const scene of await sceneNames()) {
    const confidentWords = (await recognize(scene, [])).filter(
      ({ confidence }) => confidence >= limits.minConfidence,
    );
    const keptWords = new Set(
      (await recognize(scene, names)).map(({ text, start }) => `${text} ${start}`),
    );
    confidentCount += confidentWords.length;
    changedCount += confidentWords.filter(
      ({ text, start }) => !keptWords.has(`${text} ${start}`),
    ).length;
  }
  const misrecognized = names.filter((name) => !includes(before, name));
  return [
    {
      name: 'misrecognized names that the vocabulary fixes',
      value: misrecognized.filter((name) => includes(after, name)).length,
      unit: 'names',
      least: 10,
      detail: { names: names.length, misrecognized: misrecognized.length },
    },
    {
      name: 'high-confidence words, excluding names, changed by the vocabulary',
      value: changedCount,
      unit: 'words',
      most: 0,
      detail: { confident: confidentCount },
    },
  ];
}

/** Measures the effect of speech detection on all scenes and on recordings of real speech. */
async function detection(
  recordings: readonly RealSpeech[],
  log: (sentence: string) => void,
): Promise<Measurement> {
  const scenes = await Promise.all((await sceneNames()).map(readScene));
  const all = [...scenes.map(({ name, ...scene }) => ({ ...scene, file: name })), ...recordings];
  const texts: { said: string; detected: string; all: string }[] = [];
  for (const { file, transcript: said, samples } of all) {
    const text = {
      said,
      detected: await recognizeText(samples),
      all: await recognizeText(samples, 'all'),
    };
    texts.push(text);
    const [detectedRate, wholeRate] = [
      wordErrorRate(said, text.detected),
      wordErrorRate(said, text.all),
    ];
    log(`${file}  with detected speech: ${percent(detectedRate)}  without: ${percent(wholeRate)}`);
  }
  const rate = (scope: 'detected' | 'all') =>
    pooledWordErrorRate(texts.map((text) => ({ reference: text.said, transcript: text[scope] })));
  return {
    name: 'speech word error rate, with detected speech − without',
    value: round(rate('detected') - rate('all')),
    unit: 'difference',
    most: 0.01,
    detail: {
      detected: round(rate('detected')),
      all: round(rate('all')),
      scenes: scenes.length,
      recordings: recordings.length,
    },
  };
}

/** Measures the error rate of each recording, with plain audio and with audio encoded the way the recorder does. */
async function errorRates(
  recordings: readonly RealSpeech[],
  log: (sentence: string) => void,
): Promise<Measurement[]> {
  const rows: { file: string; said: string; plain: string; opus: string }[] = [];
  for (const { file, transcript: said, samples } of recordings) {
    const plainText = await recognizeText(samples);
    rows.push({
      file,
      said,
      plain: plainText,
      opus: await recognizeText(await roundTripThroughOpus(samples)),
    });
  }
  const width = Math.max(...rows.map(({ file }) => file.length));
  const line = (...[file, words, plain, opus]: readonly [string, string, string, string]) =>
    log(`${file.padEnd(width)}  ${words.padStart(5)}  ${plain.padStart(6)}  ${opus.padStart(7)}`);
  line('word error rate', 'words', 'plain', 'in Opus');
  for (const { file, said, plain, opus } of rows) {
    const rates = [wordErrorRate(said, plain), wordErrorRate(said, opus)].map(percent);
    line(file, String(said.split(/\s+/).length), rates[0] as string, rates[1] as string);
  }
  return (['plain', 'opus'] as const).map((encoding) => ({
    name: `speech word error rate, ${encoding === 'plain' ? 'plain' : 'through Opus'}`,
    value: round(
      pooledWordErrorRate(rows.map((row) => ({ reference: row.said, transcript: row[encoding] }))),
    ),
    unit: 'errors/word',
    detail: { recordings: rows.length },
  }));
}

/** Measures the effect of slicing on all recordings, concatenated in three orders. */
async function measureSlicing(recordings: readonly RealSpeech[]): Promise<Measurement[]> {
  const texts: { reference: string; unsliced: string; sliced: string }[] = [];
  for (const order of rotations(recordings, 3)) {
    const samples = concatenate(order.map((recording) => recording.samples));
    const unsliced = await transcribeWithEngineOnly(samples);
    texts.push({
      reference: order.map(({ transcript }) => transcript).join(' '),
      unsliced: unsliced.map(({ text }) => text).join(' '),
      sliced: await recognizeText(samples, 'all'),
    });
  }
  const rate = (encoding: 'unsliced' | 'sliced') =>
    pooledWordErrorRate(
      texts.map((text) => ({ reference: text.reference, transcript: text[encoding] })),
    );
  return [
    {
      name: 'speech word error rate, sliced − unsliced',
      value: round((rate('sliced') - rate('unsliced')) * 100),
      unit: 'points',
      detail: { sliced: round(rate('sliced')), unsliced: round(rate('unsliced')) },
    },
  ];
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)}%`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
