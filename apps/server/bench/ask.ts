import { dayMs } from '../src/calendar.ts';
import type { Database } from '../src/db/database.ts';
import { createPassageIndex } from '../src/retrieval/passage-index.ts';
import { analyzeQuestion } from '../src/retrieval/question.ts';
import { createRetriever } from '../src/retrieval/retriever.ts';
import { createAccount, inDatabase, store } from './ask/database.ts';
import { type Half, type LibraryQuestion, readQuestions, readRecordings } from './ask/library.ts';
import type { Figure } from './speech.ts';

/** The number of quotes of an answer, among which the right one should be. */
const quotes = 3;

/** The result of one question. */
interface Outcome {
  readonly question: LibraryQuestion;
  /** The found paragraphs, best first, with their coverage. */
  readonly found: readonly {
    readonly recording: string;
    readonly paragraph: number;
    readonly coverage: number;
  }[];
  readonly isRight: boolean;
}

/** Measures how often the right paragraph is among the first three quotes, and how often absent answers are invented. */
export async function run(half: Half = 'held-out'): Promise<Figure[]> {
  const outcomes = await inDatabase(async (db) => {
    const account = await createAccount(db);
    const ids = await store(db, account, await readRecordings());
    return askAll(db, account, ids, await readQuestions(half));
  });
  const present = outcomes.filter(({ question }) => question.answers !== null);
  const absent = outcomes.filter(({ question }) => question.answers === null);
  return [
    {
      name: `questions with the right paragraph among the first ${quotes}, ${half}`,
      value: share(present),
      unit: 'ratio',
      detail: {
        questions: present.length,
        ...shares(present, ({ kind }) => kind),
        ...shares(present, ({ language }) => language),
      },
    },
    {
      name: `questions without an answer that got none, ${half}`,
      value: share(absent),
      unit: 'ratio',
      detail: { questions: absent.length },
    },
  ];
}

function share(outcomes: readonly Outcome[]): number {
  const right = outcomes.filter(({ isRight }) => isRight).length;
  return Math.round((right / outcomes.length) * 1000) / 1000;
}

function shares(
  outcomes: readonly Outcome[],
  keyOf: (question: LibraryQuestion) => string,
): Record<string, number> {
  const groups = Map.groupBy(outcomes, ({ question }) => keyOf(question));
  return Object.fromEntries([...groups].map(([key, group]) => [key, share(group)]));
}

/** Asks all questions, one after the other. @param ids the IDs of the stored recordings, by the library's */
async function askAll(
  db: Database,
  account: string,
  ids: ReadonlyMap<string, string>,
  questions: readonly LibraryQuestion[],
): Promise<Outcome[]> {
  await createPassageIndex(db).update(account, Number.POSITIVE_INFINITY);
  const retriever = createRetriever(db);
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const outcomes: Outcome[] = [];
  for (const question of questions) {
    const today = Math.floor(Date.parse(question.asked_at) / dayMs);
    const analyzed = analyzeQuestion(question.question, null, today);
    const paragraphs = await retriever.find(account, analyzed, 'all', quotes);
    const found = paragraphs.map(({ recordingId, ordinal, coverage }) => ({
      recording: names.get(recordingId) ?? '',
      paragraph: ordinal,
      coverage,
    }));
    outcomes.push({ question, found, isRight: isRight(question, found) });
  }
  return outcomes;
}

function isRight({ answers }: LibraryQuestion, found: Outcome['found']): boolean {
  if (answers === null) return found.length === 0;
  return found.some((each) =>
    answers.some(
      ({ recording, paragraph }) => recording === each.recording && paragraph === each.paragraph,
    ),
  );
}

// Prints the figures of the development half, and its wrong answers.
if (process.argv.includes('--development')) {
  const outcomes = await inDatabase(async (db) => {
    const account = await createAccount(db);
    const ids = await store(db, account, await readRecordings());
    return askAll(db, account, ids, await readQuestions('development'));
  });
  for (const { question, found, isRight: right } of outcomes) {
    if (right && !process.argv.includes('--all')) continue;
    console.log(JSON.stringify({ ...question, found }));
  }
  console.log(`${outcomes.filter(({ isRight: right }) => right).length} of ${outcomes.length}`);
}
