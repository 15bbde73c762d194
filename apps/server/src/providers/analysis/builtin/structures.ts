/** Builds the sections of each summary structure from the analyzer's classified sentences. */
import type { SummaryDocument, SummaryTemplate } from '@linnet/contract';
import { type StructureId, structureHeadings } from '@linnet/contract/structures';
import { isQuestion } from './cues.ts';
import type { LanguageData } from './languages/data.ts';
import { chooseSentences } from './ranking.ts';
import type { Sentence } from './sentences.ts';
import { stem } from './stem.ts';

export type Section = NonNullable<SummaryDocument['structures']['general']>['sections'][number];
type Items = Section['items'];

/** Input for building the sections. */
export interface SectionInput {
  readonly sentences: readonly Sentence[];
  readonly data: LanguageData;
  readonly points: readonly Sentence[];
  readonly announcements: readonly Sentence[];
  readonly decisions: readonly Sentence[];
  readonly questions: readonly Sentence[];
  readonly knowledge: readonly Sentence[];
  readonly todos: readonly Sentence[];
  readonly sums: readonly Sentence[];
  /** Topics, whose names are generated rather than quoted. */
  readonly topics: Items;
}

type Heading = (typeof structureHeadings)[keyof typeof structureHeadings][number];
type ToItems = (list: string, sentences: readonly Sentence[]) => Items;

/** Maximum number of statements in an interview. */
const MAX_STATEMENTS = 8;
/** Maximum number of sentences that announce the reason for a call. */
const MAX_REASONS = 2;
/** Maximum number of sentences under a custom heading. */
const MAX_CUSTOM_SENTENCES = 5;

/** Builds the sections of one structure, in order. */
export function buildSections(
  structure: Exclude<StructureId, 'custom'>,
  material: SectionInput,
  toItems: ToItems,
): Section[] {
  if (material.points.length === 0) return [];
  return structureHeadings[structure].map((heading) => ({
    heading,
    items:
      heading === 'topics'
        ? material.topics.map((item, index) => ({
            ...item,
            id: `${structure}-topics-${index + 1}`,
          }))
        : toItems(
            structure === 'general' ? structure : `${structure}-${heading}`,
            sentencesUnder(heading, material),
          ),
  }));
}

function sentencesUnder(
  heading: Exclude<Heading, 'topics'>,
  material: SectionInput,
): readonly Sentence[] {
  switch (heading) {
    case 'overview':
      return material.points;
    case 'decisions':
    case 'agreements':
      return material.decisions;
    case 'todos':
      return material.todos;
    case 'questions':
      return material.questions;
    case 'knowledge':
      return material.knowledge;
    case 'amounts':
      return material.sums;
    case 'reason':
      return material.announcements.length > 0
        ? material.announcements.slice(0, MAX_REASONS)
        : material.points.slice(0, 1);
    case 'statements':
      return selectStatements(material);
  }
}

/**
 * Selects the statements in an interview. Excludes questions and, if there are several speakers, everything said by the
 * speaker with the most questions, presumably the interviewer.
 */
function selectStatements({ sentences, data }: SectionInput): Sentence[] {
  const questionCounts = new Map<string, number>();
  const speakers = new Set(sentences.flatMap(({ paragraph }) => paragraph.speaker ?? []));
  const nonQuestions = sentences.filter((sentence) => {
    if (!isQuestion(sentence, data)) return true;
    const { speaker } = sentence.paragraph;
    if (speaker !== undefined) questionCounts.set(speaker, (questionCounts.get(speaker) ?? 0) + 1);
    return false;
  });
  const [first, second] = [...questionCounts].sort((a, b) => b[1] - a[1]);
  const interviewer =
    speakers.size > 1 && first && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
  return chooseSentences(
    nonQuestions.filter(
      ({ paragraph }) => interviewer === undefined || paragraph.speaker !== interviewer,
    ),
    MAX_STATEMENTS,
  );
}

/**
 * Builds the sections of a custom template. Each heading gets the sentences with the highest IDF-weighted word overlap;
 * a heading without any overlap stays empty.
 */
export function buildCustomSections(
  template: SummaryTemplate,
  sentences: readonly Sentence[],
  getTopics: (text: string) => readonly string[],
  toItems: ToItems,
): Section[] {
  /** Number of sentences that contain each stem. */
  const documentFrequency = new Map<string, number>();
  const stems = sentences.map(({ runs }) => new Set(runs.flat().map(stem)));
  for (const words of stems)
    for (const word of words) documentFrequency.set(word, (documentFrequency.get(word) ?? 0) + 1);
  return template.sections.map(({ heading, wants }, index) => {
    const headingStems = new Set(getTopics(`${heading}. ${wants}`).map(stem));
    const scored = sentences.flatMap((sentence, position) => {
      let score = 0;
      for (const word of stems[position] ?? []) {
        if (headingStems.has(word))
          score += Math.log2(1 + sentences.length / (documentFrequency.get(word) ?? 1));
      }
      return score > 0 ? [{ sentence, at: position, score }] : [];
    });
    const bestSentences = scored
      .sort((a, b) => b.score - a.score || a.at - b.at)
      .slice(0, MAX_CUSTOM_SENTENCES)
      .sort((a, b) => a.at - b.at);
    return {
      heading,
      items: toItems(
        `custom-${index + 1}`,
        bestSentences.map(({ sentence }) => sentence),
      ),
    };
  });
}
