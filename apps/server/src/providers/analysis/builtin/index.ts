/**
 * The built-in analyzer, which selects sentences from the transcript by cues and statistics. It needs no model, sends
 * nothing to a service and invents nothing.
 */
import { setImmediate } from 'node:timers/promises';
import type { SummaryDocument, SummaryItem } from '@linnet/contract';
import { defaultStructure, type StructureId, structureIds } from '@linnet/contract/structures';
import { capitalize } from '../../../transcript/english.ts';
import {
  type Analysis,
  AnalysisFailure,
  type AnalyzeRequest,
  type TranscriptAnalyzer,
} from '../port.ts';
import { shorten } from '../shorten.ts';
import {
  captureFromCue,
  extractedLists,
  isQuestion,
  isTodo,
  matchesCue,
  type QuestionContext,
} from './cues.ts';
import { createDateFinder, type MentionedDate } from './dates.ts';
import { extractKeywords } from './keywords.ts';
import type { LanguageData } from './languages/data.ts';
import { languageData } from './languages/index.ts';
import { createSumFinder } from './money.ts';
import { createNoteWeights } from './note-weights.ts';
import { countTopics } from './phrases.ts';
import { choosePoints, createBrief } from './points.ts';
import { extractTopics, type Sentence, splitSentences } from './sentences.ts';
import { buildCustomSections, buildSections, type Section } from './structures.ts';
import { findTopics } from './topics.ts';

/** Engine name, stored with the task and shown to the user. */
export const BUILTIN_ENGINE = 'builtin';

/** Maximum number of characters in a title, as many as fit in a list row on a phone. */
const TITLE_LENGTH = 60;
/**
 * Number of sentences from the start that are searched for an announcement of the subject. Later announcements aren't
 * about the whole recording.
 */
const ANNOUNCEMENT_WITHIN = 6;
/** Sentence index at which the preference for early titles has dropped by a quarter. */
const LEAD_SENTENCES = 5;
/**
 * Words that refer to an earlier sentence or to the speaker. A sentence that starts with such a word is less suitable
 * as a title.
 */
const REFERENCES = new Set(
  (
    'they he she it this that these those i we you my his her their our your if but and so because ' +
    'esto eso esta ese ella él ellos ellas mi su si pero y yo nosotros isso isto ele ela eles elas meu minha seu sua se mas eu nós ' +
    'il elle ils elles ce cela ça mon ma son sa si mais et je nous on он она они оно это мой моя его её их если но и а я мы вы ' +
    'هو هي هم هذا هذه ذلك إذا لكن أنا نحن'
  ).split(' '),
);
/** An announced title must have at least two words, or four characters in scripts without spaces. */
const TITLE_WORDS = / |[^ -ɏ]{4}/u;
const MAX_KEYWORDS = 10;

/**
 * Maximum number of characters in an interjection ("No, Ben."). The sentence after one belongs to the reply.
 */
const INTERJECTION = 12;

/** A conversation with at least this number of paragraphs is assumed to start with greetings. */
const LONG_CONVERSATION = 10;
/** Number of paragraphs at the start that count as greetings. */
const GREETINGS = 2;

/** Number of sentences to process before yielding to the event loop: a few milliseconds of work. */
const SENTENCES_AT_A_TIME = 500;

/**
 * Creates an extractive analyzer, which only quotes sentences of the transcript. It needs neither a model nor a
 * network.
 */
export function createBuiltinAnalyzer(): TranscriptAnalyzer {
  return {
    id: BUILTIN_ENGINE,
    kind: 'extractive',
    structures: structureIds,
    translates: false,
    async analyze(request): Promise<Analysis> {
      const steps = analysisSteps(request);
      for (;;) {
        if (request.signal?.aborted) throw new AnalysisFailure('aborted', 'by the caller');
        const { done, value } = steps.next();
        if (done) {
          request.onProgress?.(1);
          return value;
        }
        request.onProgress?.(value);
        await setImmediate();
      }
    },
  };
}

/** Analyzes a transcript synchronously. The result is deterministic. */
export function analyzeTranscript(request: AnalyzeRequest): Analysis {
  const steps = analysisSteps(request);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs the analysis in steps, because a long analysis would block the event loop. Yields the completed fraction. */
function* analysisSteps(request: AnalyzeRequest): Generator<number, Analysis> {
  const { paragraphs, language, recordedAt } = request;
  const data = languageData(language);
  const sentences: Sentence[] = [];
  for (const part of toBatches(paragraphs)) {
    sentences.push(...splitSentences(part, language));
    yield 0.2 * (sentences.length / (sentences.length + SENTENCES_AT_A_TIME));
  }
  const findDates = data.dates && createDateFinder(data.dates, data);
  const findSums =
    data.money &&
    createSumFinder(
      data.money,
      data,
      sentences.map(({ folded: plain }) => plain),
    );
  const todos: SummaryDocument['todos'] = [];
  const finance: SummaryDocument['finance'] = [];
  const timeline: SummaryDocument['timeline'] = [];
  const found = {
    todos: [] as Sentence[],
    questions: [] as Sentence[],
    knowledge: [] as Sentence[],
    needs: [] as Sentence[],
    decisions: [] as Sentence[],
    announcements: [] as Sentence[],
    sums: [] as Sentence[],
    dates: [] as Sentence[],
  };
  const greetings = new Set(
    paragraphs.length < LONG_CONVERSATION
      ? []
      : paragraphs.slice(0, GREETINGS).map((paragraph) => paragraph.id),
  );
  for (const [index, sentence] of sentences.entries()) {
    if (index % SENTENCES_AT_A_TIME === 0) yield 0.2 + (0.5 * index) / sentences.length;
    const dates = findDates?.(sentence.folded, recordedAt) ?? [];
    for (const { when, date } of dates) {
      timeline.push({ ...toItem('timeline', timeline.length, sentence), when, date });
    }
    if (dates.length > 0) found.dates.push(sentence);
    const sums = findSums?.(sentence.folded, dates) ?? [];
    if (sums.length > 0) found.sums.push(sentence);
    for (const { amount, currency, purpose } of sums) {
      const item = toItem('finance', finance.length, sentence);
      finance.push({ ...item, amount, currency, purpose });
    }
    const asks = isQuestion(sentence, data, questionContext(sentences, index, greetings));
    // A decision may also be a request to someone.
    if (!asks && matchesCue(data.decisions, sentence)) {
      found.decisions.push(sentence);
    }
    const context = { isDated: dates.length > 0, next: sentencesAfter(sentences, index) };
    if (isTodo(sentence, data, context)) {
      found.todos.push(sentence);
      const item = toItem('todos', todos.length, sentence);
      todos.push({ ...item, ...assigneeAndDueDate(sentence, data, dates) });
      continue;
    }
    if (asks) {
      found.questions.push(sentence);
      continue;
    }
    if (matchesCue(data.knowledge, sentence)) found.knowledge.push(sentence);
    if (matchesCue(data.needs, sentence)) found.needs.push(sentence);
  }
  found.announcements = sentences
    .slice(0, ANNOUNCEMENT_WITHIN)
    .filter((sentence) => captureFromCue(sentence, data.announcements, 'topic') !== null);
  yield 0.7;

  const foundTopics = findTopics(sentences, language, data.transitions);
  const getWeight = createNoteWeights(request.notes ?? [], language);
  const points = choosePoints(sentences, foundTopics, {
    questions: new Set(found.questions),
    facts: new Set([...found.decisions, ...found.sums, ...found.dates]),
    getWeight,
  });
  const keywords = extractKeywords(sentences, language, keywordLimit(sentences));
  yield 0.8;
  const topics = foundTopics.flatMap(({ name, sentences: topicSentences, end }, index) => {
    const [first] = topicSentences;
    return first ? [{ ...toItem('topics', index, first), text: name, end_time: end }] : [];
  });
  yield 0.9;

  const material = {
    ...found,
    sentences,
    data,
    points,
    topics: topics.map(({ end_time: _, ...item }) => item),
  };
  const structureIdSet = new Set<StructureId>([
    defaultStructure,
    ...request.structures.filter((id) => id !== 'custom' || request.template),
  ]);
  const createSections = (id: StructureId): Section[] => {
    if (id !== 'custom') return buildSections(id, material, toItems);
    const { template } = request;
    const getTopics = (text: string) => extractTopics(text, language);
    return template ? buildCustomSections(template, sentences, getTopics, toItems) : [];
  };
  return {
    title: createTitle(sentences, selectStatements(sentences, found), data),
    brief: createBrief(sentences, points, foundTopics, language),
    summary: points.map((sentence) => sentence.text).join('\n'),
    keywords,
    engine: BUILTIN_ENGINE,
    document: {
      version: 1,
      engine: BUILTIN_ENGINE,
      kind: 'extractive',
      language,
      structure: request.structures.find((id) => structureIdSet.has(id)) ?? defaultStructure,
      structures: Object.fromEntries(
        [...structureIdSet].map((id) => [id, { sections: createSections(id) }]),
      ),
      todos,
      knowledge_points: toItems('knowledge_points', found.knowledge),
      needs: toItems('needs', found.needs),
      questions: toItems('questions', found.questions),
      finance,
      timeline,
      topics,
      looked_for: extractedLists(data),
    },
  };
}

/** Returns a to-do's assignee and due time, quoted from the sentence. */
function assigneeAndDueDate(
  sentence: Sentence,
  { todos }: LanguageData,
  dates: readonly MentionedDate[],
) {
  const [firstDate] = dates;
  return {
    who: captureFromCue(sentence, todos?.who, 'who'),
    when: firstDate?.when ?? captureFromCue(sentence, todos?.when, 'when'),
    due: firstDate?.date ?? null,
  };
}

/** Divides a list into batches. */
function toBatches<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / SENTENCES_AT_A_TIME) }, (_, index) =>
    all.slice(index * SENTENCES_AT_A_TIME, (index + 1) * SENTENCES_AT_A_TIME),
  );
}

function toItem(list: string, index: number, sentence: Sentence): SummaryItem {
  return {
    id: `${list}-${index + 1}`,
    text: sentence.text,
    paragraph_id: sentence.paragraph.id,
    start_time: sentence.start,
  };
}

function toItems(list: string, sentences: readonly Sentence[]): SummaryItem[] {
  return sentences.map((sentence, index) => toItem(list, index, sentence));
}

/** Returns the number of keywords to extract: one per four topic words, up to the maximum. */
function keywordLimit(sentences: readonly Sentence[]): number {
  const topics = sentences.reduce((sum, sentence) => sum + sentence.runs.flat().length, 0);
  return Math.min(MAX_KEYWORDS, Math.ceil(topics / 4));
}

/** Returns the sentences that are neither to-dos nor questions, not even rhetorical ones. */
function selectStatements(
  sentences: readonly Sentence[],
  { todos, questions }: { todos: readonly Sentence[]; questions: readonly Sentence[] },
): Sentence[] {
  const others = new Set([...todos, ...questions]);
  return sentences.filter((sentence) => !others.has(sentence) && !/[?？؟]$/u.test(sentence.text));
}

/** Returns the context that decides whether a sentence is a sincere question. */
function questionContext(
  sentences: readonly Sentence[],
  index: number,
  greetings: ReadonlySet<string>,
): QuestionContext {
  const { paragraph } = sentences[index] as Sentence;
  const next = sentences[index + 1];
  const isSameSpeaker =
    next !== undefined && paragraph.speaker !== undefined && next.paragraph === paragraph;
  return {
    continuation: isSameSpeaker ? next : undefined,
    isGreeting: greetings.has(paragraph.id),
  };
}

/** Returns the next sentence, or the next two if the first of them is an interjection. */
function sentencesAfter(sentences: readonly Sentence[], index: number): Sentence[] {
  const next = sentences.slice(index + 1, index + 3);
  return (next[0]?.text.length ?? 0) <= INTERJECTION ? next : next.slice(0, 1);
}

/**
 * Returns the announced topic or, failing that, the sentence with the most frequent topic words that is short enough
 * for a title. Earlier sentences are preferred, because they introduce the subject.
 */
function createTitle(
  sentences: readonly Sentence[],
  statements: readonly Sentence[],
  data: LanguageData,
): string {
  for (const sentence of sentences.slice(0, ANNOUNCEMENT_WITHIN)) {
    const topic = captureFromCue(sentence, data.announcements, 'topic');
    if (topic && isTitle(topic)) return capitalize(topic);
  }
  const counts = countTopics(sentences);
  const candidates = statements.length > 0 ? statements : sentences;
  const shortCandidates = candidates.filter(({ text }) => isTitle(toHeadline(text)));
  let [best, bestScore] = ['', -1];
  for (const [index, { text, runs, words }] of (shortCandidates.length > 0
    ? shortCandidates
    : candidates
  ).entries()) {
    let score = 0;
    for (const word of new Set(runs.flat())) score += Math.log2(1 + (counts.get(word) ?? 0));
    score *= 0.5 + 0.5 / (1 + index / LEAD_SENTENCES);
    if (REFERENCES.has(words[0] ?? '')) score /= 2;
    if (score > bestScore) [best, bestScore] = [text, score];
  }
  return shorten(capitalize(toHeadline(best)), TITLE_LENGTH);
}

const isTitle = (text: string) => TITLE_WORDS.test(text) && text.length <= TITLE_LENGTH;

/** Strips the punctuation at the end of a sentence. */
const toHeadline = (text: string) => text.replace(/[.。।…!！]+$/u, '').trimEnd();
