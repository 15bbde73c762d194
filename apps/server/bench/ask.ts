import { dayMs } from '../src/calendar.ts';
import { readConfig } from '../src/config/index.ts';
import type { Database } from '../src/db/database.ts';
import { type Embedder, selectEmbedder } from '../src/providers/embedding/index.ts';
import { createBitCache } from '../src/retrieval/embeddings/cache.ts';
import { createVectorIndex } from '../src/retrieval/embeddings/vector-index.ts';
import { createVectorSearch } from '../src/retrieval/embeddings/vector-search.ts';
import { createPassageIndex } from '../src/retrieval/passage-index.ts';
import { analyzeQuestion } from '../src/retrieval/question.ts';
import { createRetriever } from '../src/retrieval/retriever.ts';
import { createAccount, store, withDatabase } from './ask/database.ts';
import {
  type LibraryQuestion,
  type QuestionSet,
  readQuestions,
  readRecordings,
} from './ask/library.ts';
import { createMeaningEmbedder } from './ask/vectors.ts';
import type { Measurement } from './speech.ts';

/** Number of quotes per answer. The right one should be among them. */
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

/**
 * Measures how often the right paragraph is among the first three quotes, and how often quotes are returned for
 * questions that have no answer.
 * Repeats the measurement with a stand-in for an embedding model, based on the lexicon. If `EMBEDDINGS_URL` is set,
 * also repeats it with that service, as configured by the other embedding variables.
 */
export async function run(questionSet: QuestionSet = 'held-out'): Promise<Measurement[]> {
  const service = createEmbedder(process.env);
  return [
    ...(await measure(questionSet, null)),
    ...(await measure(questionSet, await createStandIn())),
    ...(service ? await measure(questionSet, service) : []),
  ];
}

/** Returns the stand-in for an embedding model, which knows how rare words are in the recordings. */
async function createStandIn(): Promise<Embedder> {
  const recordings = await readRecordings();
  return createMeaningEmbedder(
    recordings.flatMap(({ paragraphs }) => paragraphs.map(({ content }) => content)),
  );
}

/** Returns the embedder of a service; null if the environment names none. */
function createEmbedder(environment: NodeJS.ProcessEnv): Embedder | null {
  if (!environment.EMBEDDINGS_URL) return null;
  const variables = Object.entries(environment).filter(([name]) => name.startsWith('EMBEDDINGS_'));
  return selectEmbedder(
    readConfig({
      EMBEDDINGS_API_KEY: 'none',
      ...Object.fromEntries(variables),
      EMBEDDINGS: 'openai',
    }),
  );
}

async function measure(
  questionSet: QuestionSet,
  embedder: Embedder | null,
): Promise<Measurement[]> {
  const outcomes = await measureOutcomes(questionSet, embedder);
  const suffix = embedder ? `${questionSet}, with embeddings of ${embedder.id}` : questionSet;
  const present = outcomes.filter(({ question }) => question.answers !== null);
  const absent = outcomes.filter(({ question }) => question.answers === null);
  return [
    {
      name: `questions with the right paragraph among the first ${quotes}, ${suffix}`,
      value: share(present),
      unit: 'ratio',
      detail: {
        questions: present.length,
        ...shares(present, ({ kind }) => kind),
        ...shares(present, ({ language }) => language),
      },
    },
    {
      name: `unanswerable questions that returned no quotes, ${suffix}`,
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
  getKey: (question: LibraryQuestion) => string,
): Record<string, number> {
  const groups = Map.groupBy(outcomes, ({ question }) => getKey(question));
  return Object.fromEntries([...groups].map(([key, group]) => [key, share(group)]));
}

/** Asks every question in a set about the recordings, using a separate database. */
const measureOutcomes = (questionSet: QuestionSet, embedder: Embedder | null) =>
  withDatabase(async (db) => {
    const account = await createAccount(db);
    const stored = await store(db, account, await readRecordings());
    const names = new Map(stored.map(({ id, recording }) => [id, recording.id]));
    return askAll(db, account, names, await readQuestions(questionSet), embedder);
  });

/** Asks all questions, one after the other. @param names the library IDs of the stored recordings, by database ID */
async function askAll(
  db: Database,
  account: string,
  names: ReadonlyMap<string, string>,
  questions: readonly LibraryQuestion[],
  embedder: Embedder | null,
): Promise<Outcome[]> {
  await createPassageIndex(db).update(account, Number.POSITIVE_INFINITY);
  const retriever = createRetriever(db);
  const vectorSearch = embedder && (await openVectorSearch(db, embedder));
  const outcomes: Outcome[] = [];
  for (const question of questions) {
    const today = Math.floor(Date.parse(question.asked_at) / dayMs);
    const analyzed = analyzeQuestion(question.question, null, today);
    const nearParagraphs = vectorSearch?.find(account, question.question, 'all');
    const paragraphs = await retriever.find(account, analyzed, 'all', quotes, nearParagraphs);
    const found = paragraphs.map(({ recordingId, ordinal, coverage }) => ({
      recording: names.get(recordingId) ?? '',
      paragraph: ordinal,
      coverage,
    }));
    outcomes.push({ question, found, isRight: isRight(question, found) });
  }
  return outcomes;
}

/** Computes all vectors, and returns a vector search without a time limit. */
async function openVectorSearch(db: Database, embedder: Embedder) {
  const { failed } = await createVectorIndex(db, embedder).update(
    Number.POSITIVE_INFINITY,
    new AbortController().signal,
  );
  if (failed.length > 0) console.error(`${failed.length} recordings have missing vectors`);
  return createVectorSearch({
    ...{ db, embedder, cache: createBitCache(db), limitMs: 600_000, pauseMs: 0 },
    log: { warn: console.error, error: console.error },
  });
}

function isRight({ answers }: LibraryQuestion, found: Outcome['found']): boolean {
  if (answers === null) return found.length === 0;
  return found.some((passage) =>
    answers.some(
      ({ recording, paragraph }) =>
        recording === passage.recording && paragraph === passage.paragraph,
    ),
  );
}

// Prints the results of the development set, and its wrong answers. Uses the embeddings of a configured service, or
// those of the stand-in with `--stand-in`.
if (process.argv.includes('--development')) {
  const standIn = process.argv.includes('--stand-in') ? await createStandIn() : null;
  const outcomes = await measureOutcomes('development', standIn ?? createEmbedder(process.env));
  for (const { question, found, isRight: right } of outcomes) {
    if (right && !process.argv.includes('--all')) continue;
    console.log(JSON.stringify({ ...question, found }));
  }
  console.log(`${outcomes.filter(({ isRight: right }) => right).length} of ${outcomes.length}`);
}
