import { dayMs } from '../src/calendar.ts';
import { createBitCache } from '../src/retrieval/embeddings/cache.ts';
import { createVectorIndex } from '../src/retrieval/embeddings/vector-index.ts';
import { createVectorSearch } from '../src/retrieval/embeddings/vector-search.ts';
import { createPassageIndex } from '../src/retrieval/passage-index.ts';
import { analyzeQuestion } from '../src/retrieval/question.ts';
import { createRetriever } from '../src/retrieval/retriever.ts';
import {
  addPassages,
  createAccount,
  type StoredRecording,
  store,
  withDatabase,
  withoutTextIndexes,
} from './ask/database.ts';
import {
  type LibraryQuestion,
  type LibraryRecording,
  readQuestions,
  readRecordings,
} from './ask/library.ts';
import { createRandomEmbedder } from './ask/vectors.ts';
import type { Measurement } from './speech.ts';

/** The library sizes to measure, in recordings. The first size is indexed as a worker does, the rest in bulk. */
const sizes = [1000, 3000, 10_000];
/** Paragraphs per recording. */
const paragraphs = 60;
/** Recordings per statement. */
const batchSize = 100;
/** Number of invented words. Most of them are as rare as names. */
const vocabulary = 30_000;
/** Invented words per paragraph. */
const inventedWords = 4;
/** Time in milliseconds between reports on the index. */
const stepMs = 10_000;
/** Number of times each question is asked. */
const rounds = 5;

/**
 * Measures how long retrieval takes as the library grows, with words only and with embeddings. The vectors are random,
 * and the time that a model would take isn't included.
 */
export async function run(): Promise<Measurement[]> {
  const library = await readRecordings();
  const questions = await readQuestions('development');
  return withDatabase(async (db) => {
    const measurements: Measurement[] = [];
    const account = await createAccount(db);
    const retriever = createRetriever(db);
    const embedder = createRandomEmbedder();
    const vectorIndex = createVectorIndex(db, embedder);
    const log = { warn: console.error, error: console.error };
    let stored = 0;
    /** Stores recordings in batches, up to a size. @param onStored called with each batch */
    async function storeUpTo(size: number, onStored: (batch: StoredRecording[]) => Promise<void>) {
      while (stored < size) {
        const batch = Array.from({ length: Math.min(batchSize, size - stored) }, (_, index) =>
          synthesize(library, stored + index),
        );
        await onStored(await store(db, account, batch, stored));
        stored += batch.length;
        if (stored % 500 === 0) progress(`${stored} of ${size} recordings stored`);
      }
    }
    for (const size of sizes) {
      const startedAt = performance.now();
      if (stored === 0) {
        await storeUpTo(size, async () => {});
        const index = createPassageIndex(db);
        while (!(await index.update(account, Date.now() + stepMs))) progress('indexing passages');
      } else {
        await withoutTextIndexes(db, () =>
          storeUpTo(size, (batch) => addPassages(db, account, batch)),
        );
      }
      const seedSeconds = seconds(startedAt);
      progress(`${size} recordings indexed`);
      const details = { paragraphs: size * paragraphs };
      const times = await timeAll(questions, ({ question, asked_at }) =>
        retriever.find(account, analyzeQuestion(question, null, toDay(asked_at)), 'all', 5),
      );
      measurements.push(
        createMeasurement(`retrieval for a question over ${size} recordings, 95 of 100`, times, {
          ...{ ...details, seedSeconds },
        }),
      );

      progress(`${questions.length * rounds} questions asked by words`);
      const embedding = performance.now();
      const { signal } = new AbortController();
      await vectorIndex.update(Number.POSITIVE_INFINITY, signal);
      const embedSeconds = seconds(embedding);
      progress('vectors computed');
      const cache = createBitCache(db);
      const vectorSearch = createVectorSearch({ db, embedder, cache, log, limitMs: 600_000 });
      const first = performance.now();
      await vectorSearch.find(account, 'Why?', 'all');
      const firstMs = Math.round(performance.now() - first);
      const alone = await timeAll(questions, ({ question }) =>
        vectorSearch.find(account, question, 'all'),
      );
      const both = await timeAll(questions, ({ question, asked_at }) =>
        retriever.find(
          ...([account, analyzeQuestion(question, null, toDay(asked_at)), 'all', 5] as const),
          vectorSearch.find(account, question, 'all'),
        ),
      );
      const name = `retrieval for a question over ${size} recordings, with embeddings, 95 of 100`;
      const vectorDetails = {
        ...{ embedSeconds, firstMs, alone: percentile(alone, 0.95), cacheBytes: cache.bytes() },
      };
      measurements.push(createMeasurement(name, both, { ...details, ...vectorDetails }));
      progress(`${size} recordings measured`);
    }
    return measurements;
  });
}

const start = performance.now();
/** Reports progress on stderr, because stdout contains the measurements only. */
const progress = (text: string) => console.error(`ask-scale, ${seconds(start)} s: ${text}`);
const seconds = (since: number) => Math.round((performance.now() - since) / 1000);
const toDay = (time: string) => Math.floor(Date.parse(time) / dayMs);
const percentile = (sorted: readonly number[], share: number) =>
  Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);

/** Returns how long the questions take, in milliseconds, in ascending order. */
async function timeAll(
  questions: readonly LibraryQuestion[],
  ask: (question: LibraryQuestion) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const question of questions) {
      const start = performance.now();
      await ask(question);
      times.push(performance.now() - start);
    }
  }
  return times.sort((a, b) => a - b);
}

const createMeasurement = (
  name: string,
  times: readonly number[],
  details: Readonly<Record<string, number>>,
): Measurement => ({
  name,
  value: percentile(times, 0.95),
  unit: 'ms',
  detail: { median: percentile(times, 0.5), longest: Math.round(times.at(-1) ?? 0), ...details },
});

/** Makes a recording from paragraphs of others in the same language, and invented words. */
export function synthesize(library: readonly LibraryRecording[], number: number): LibraryRecording {
  const original = library[number % library.length] as LibraryRecording;
  const sameLanguage = library.filter(({ language }) => language === original.language);
  let seed = number + 1;
  const random = (count: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * count);
  };
  const pick = <Item>(list: readonly Item[]) => list[random(list.length)] as Item;
  // The product of two random numbers makes some words common and most of them rare.
  const word = () => `w${((random(vocabulary) * random(vocabulary)) / vocabulary) | 0}`;
  return {
    ...original,
    id: String(number),
    recorded_at: new Date(Date.UTC(2024, 0, 1) + number * 3_600_000).toISOString(),
    paragraphs: Array.from({ length: paragraphs }, (_, index) => ({
      start_time: index * 10,
      end_time: index * 10 + 9,
      speaker: '1',
      content: [
        pick(pick(sameLanguage).paragraphs).content,
        ...Array.from({ length: inventedWords }, word),
      ].join(' '),
    })),
  };
}
