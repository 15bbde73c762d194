import type { SummaryItem } from '@linnet/contract';
import { capitalise } from '../../../transcript/english.ts';
import {
  type AnalyseRequest,
  type Analysis,
  AnalysisFailure,
  type TranscriptAnalyser,
} from '../port.ts';
import { announcedTopic, isQuestion, isTodo, listsLookedFor } from './cues.ts';
import { extractKeywords } from './keywords.ts';
import { chooseSentences } from './ranking.ts';
import { type Sentence, splitSentences } from './sentences.ts';

/** Stored with the task and shown: what it gives are sentences that were said, nothing else. */
export const BUILTIN_ENGINE = 'builtin';

/** Characters of a title: what a list row on a phone shows. */
const TITLE_LENGTH = 60;
/** An announcement comes early, or it announces something else. */
const ANNOUNCEMENT_WITHIN = 6;
/** Characters of a brief; a second sentence is added while it fits. */
const BRIEF_LENGTH = 160;
const MOST_KEYWORDS = 10;
const MOST_SUMMARY_SENTENCES = 10;
/** One sentence of summary for so many said, but never fewer than three. */
const SENTENCES_PER_POINT = 5;
const LEAST_SUMMARY_SENTENCES = 3;

/** The analyser that needs no model and no network: it chooses sentences, it writes none. */
export function createBuiltinAnalyser(): TranscriptAnalyser {
  return {
    id: BUILTIN_ENGINE,
    kind: 'extractive',
    structures: ['general'],
    translates: false,
    async analyse(request): Promise<Analysis> {
      if (request.signal?.aborted) throw new AnalysisFailure('aborted', 'before it began');
      return analyseTranscript(request);
    },
  };
}

/** Pure: the same transcript gives the same analysis. */
export function analyseTranscript({ paragraphs, language }: AnalyseRequest): Analysis {
  const sentences = splitSentences(paragraphs, language);
  const count = Math.max(
    LEAST_SUMMARY_SENTENCES,
    Math.min(MOST_SUMMARY_SENTENCES, Math.ceil(sentences.length / SENTENCES_PER_POINT)),
  );
  const points = chooseSentences(sentences, count);
  const keywords = extractKeywords(sentences, language, keywordLimit(sentences));
  const todos = sentences.filter((sentence) => isTodo(sentence, language));
  const questions = sentences.filter((sentence) => isQuestion(sentence, language));
  return {
    title: makeTitle(sentences, keywords, language),
    brief: makeBrief(sentences, points),
    summary: points.map((sentence) => sentence.text).join('\n'),
    keywords,
    engine: BUILTIN_ENGINE,
    document: {
      version: 1,
      engine: BUILTIN_ENGINE,
      kind: 'extractive',
      language,
      structure: 'general',
      structures: {
        general: {
          sections:
            points.length === 0 ? [] : [{ heading: 'overview', items: toItems('general', points) }],
        },
      },
      todos: toItems('todos', todos).map((item) => ({ ...item, who: null, when: null, due: null })),
      knowledge_points: [],
      needs: [],
      questions: toItems('questions', questions),
      finance: [],
      timeline: [],
      topics: [],
      looked_for: listsLookedFor(language),
    },
  };
}

function toItems(list: string, sentences: readonly Sentence[]): SummaryItem[] {
  return sentences.map((sentence, index) => ({
    id: `${list}-${index + 1}`,
    text: sentence.text,
    paragraph_id: sentence.paragraph.id,
    start_time: sentence.start,
  }));
}

/** A short note has few keywords: one for every four words with a topic. */
function keywordLimit(sentences: readonly Sentence[]): number {
  const topics = sentences.reduce((sum, sentence) => sum + sentence.runs.flat().length, 0);
  return Math.min(MOST_KEYWORDS, Math.ceil(topics / 4));
}

function makeTitle(
  sentences: readonly Sentence[],
  keywords: readonly string[],
  language: string,
): string {
  for (const sentence of sentences.slice(0, ANNOUNCEMENT_WITHIN)) {
    const topic = announcedTopic(sentence, language);
    if (topic?.includes(' ') && topic.length <= TITLE_LENGTH) {
      return capitalise(topic);
    }
  }
  let title = '';
  for (const keyword of keywords) {
    const longer = title === '' ? capitalise(keyword) : `${title}, ${keyword}`;
    if (longer.length <= TITLE_LENGTH) title = longer;
    if (title.split(', ').length === 3) break;
  }
  return title === '' ? shorten(sentences[0]?.text ?? '', TITLE_LENGTH) : title;
}

function makeBrief(sentences: readonly Sentence[], points: readonly Sentence[]): string {
  const [best, second] = chooseSentences(points, 2);
  if (!best) return shorten(sentences[0]?.text ?? '', BRIEF_LENGTH);
  const both = second ? `${best.text} ${second.text}` : best.text;
  return both.length <= BRIEF_LENGTH ? both : shorten(best.text, BRIEF_LENGTH);
}

/** Cut at a word, with an ellipsis to say so. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
