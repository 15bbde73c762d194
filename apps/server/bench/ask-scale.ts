import { dayMs } from '../src/calendar.ts';
import { createPassageIndex } from '../src/retrieval/passage-index.ts';
import { analyzeQuestion } from '../src/retrieval/question.ts';
import { createRetriever } from '../src/retrieval/retriever.ts';
import { createAccount, inDatabase, store } from './ask/database.ts';
import {
  type LibraryQuestion,
  type LibraryRecording,
  readQuestions,
  readRecordings,
} from './ask/library.ts';
import type { Figure } from './speech.ts';

/** The numbers of recordings. */
const sizes = [100, 1000, 10_000];
/** Paragraphs of a recording. */
const paragraphs = 60;
/** Recordings per statement. */
const storedAtOnce = 100;
/** Number of invented words. Most of them are as rare as names. */
const vocabulary = 30_000;
const inventedWords = 4;
/** How often each question is asked. */
const rounds = 5;

/** Measures how long retrieval takes as the library grows. Takes ten minutes. */
export async function run(): Promise<Figure[]> {
  const library = await readRecordings();
  const questions = await readQuestions('development');
  return inDatabase(async (db) => {
    const figures: Figure[] = [];
    const account = await createAccount(db);
    let stored = 0;
    for (const size of sizes) {
      const begun = performance.now();
      while (stored < size) {
        const batch = Array.from({ length: Math.min(storedAtOnce, size - stored) }, (_, index) =>
          synthesize(library, stored + index),
        );
        await store(db, account, batch, stored);
        stored += batch.length;
      }
      const inserted = performance.now();
      await createPassageIndex(db).update(account, Number.POSITIVE_INFINITY);
      const indexSeconds = (performance.now() - inserted) / 1000;
      const times: number[] = [];
      const retriever = createRetriever(db);
      for (let round = 0; round < rounds; round += 1) {
        for (const question of questions) times.push(await timed(question));
      }
      times.sort((a, b) => a - b);
      const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
      figures.push({
        name: `retrieval for a question over ${size} recordings, 95 of 100`,
        value: at(0.95),
        unit: 'ms',
        detail: {
          median: at(0.5),
          longest: Math.round(times.at(-1) ?? 0),
          paragraphs: size * paragraphs,
          insertSeconds: Math.round((inserted - begun) / 1000),
          indexSeconds: Math.round(indexSeconds),
        },
      });

      async function timed({ question, asked_at }: LibraryQuestion): Promise<number> {
        const start = performance.now();
        const today = Math.floor(Date.parse(asked_at) / dayMs);
        await retriever.find(account, analyzeQuestion(question, null, today), 'all', 5);
        return performance.now() - start;
      }
    }
    return figures;
  });
}

/** Makes a recording of the paragraphs of others in the same language, with invented words. */
export function synthesize(library: readonly LibraryRecording[], number: number): LibraryRecording {
  const original = library[number % library.length] as LibraryRecording;
  const same = library.filter(({ language }) => language === original.language);
  let seed = number + 1;
  const random = (count: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * count);
  };
  const pick = <Item>(list: readonly Item[]) => list[random(list.length)] as Item;
  // The square makes some words common and most of them rare.
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
        pick(pick(same).paragraphs).content,
        ...Array.from({ length: inventedWords }, word),
      ].join(' '),
    })),
  };
}
