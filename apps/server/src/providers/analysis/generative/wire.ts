/**
 * Schema of the document requested from a language model: the contract's summary document, but with paragraph IDs
 * instead of times, and with additional quotations that are verified against the paragraph.
 */
import { summaryDocument } from '@linnet/contract';
import {
  defaultStructure,
  type StructureId,
  structureHeadings,
  type summaryLists,
} from '@linnet/contract/structures';
import { z } from 'zod';
import type { AnalyzeRequest } from '../port.ts';

const { shape } = summaryDocument;
/** Fields that aren't requested, because they are derived from the source. */
const derivedFields = { id: true, paragraph_id: true, start_time: true } as const;
const cited = {
  source: z.string().describe('id of the paragraph in which it was said'),
};

const point = shape.questions.element.omit(derivedFields).extend(cited);
const lists = {
  todos: z
    .array(shape.todos.element.omit(derivedFields).extend(cited))
    .describe('what somebody is to do; who and when as said'),
  knowledge_points: z.array(point).describe('facts and definitions that were explained'),
  needs: z.array(point).describe('what somebody needs or wishes for'),
  questions: z.array(point).describe('questions that were asked'),
  finance: z
    .array(
      shape.finance.element
        .omit(derivedFields)
        .extend({ said: z.string().describe('the words of the amount, as said'), ...cited }),
    )
    .describe('amounts of money; currency as ISO 4217 code; purpose as said'),
  timeline: z
    .array(shape.timeline.element.omit(derivedFields).extend(cited))
    .describe('dates and times that were named; when as said'),
  topics: z
    .array(
      shape.topics.element
        .omit({ ...derivedFields, end_time: true })
        .extend({ ...cited, until: z.string().describe('id of the last paragraph about it') }),
    )
    .describe('what was talked about, in order; source is its first paragraph'),
} as const satisfies Record<(typeof summaryLists)[number], z.ZodType>;

/** A heading within a structure. */
export interface Heading {
  /** Key in the model's answer. */
  readonly key: string;
  readonly heading: string;
  /** The list of the document that is repeated under the heading. If undefined, the model writes the items. */
  readonly list?: 'todos' | 'questions' | 'topics' | 'knowledge_points' | 'finance';
  readonly wants: string;
}

const overview = { key: 'overview', heading: 'overview', wants: 'the main points, in order' };
const headings = {
  overview,
  topics: { key: 'topics', heading: 'topics', list: 'topics', wants: '' },
  decisions: { key: 'decisions', heading: 'decisions', wants: 'what was decided' },
  todos: { key: 'todos', heading: 'todos', list: 'todos', wants: '' },
  questions: { key: 'questions', heading: 'questions', list: 'questions', wants: '' },
  reason: { key: 'reason', heading: 'reason', wants: 'why the call was made' },
  agreements: { key: 'agreements', heading: 'agreements', wants: 'what was agreed' },
  amounts: { key: 'amounts', heading: 'amounts', list: 'finance', wants: '' },
  knowledge: { key: 'knowledge', heading: 'knowledge', list: 'knowledge_points', wants: '' },
  statements: {
    key: 'statements',
    heading: 'statements',
    wants: 'what the person interviewed said, in answer or unasked',
  },
} as const satisfies Record<
  (typeof structureHeadings)[keyof typeof structureHeadings][number],
  Heading
>;

export interface Structure {
  readonly id: StructureId;
  readonly headings: readonly Heading[];
}

/** Returns the requested structures, including the general one. */
export function selectStructures({ structures, template }: AnalyzeRequest): Structure[] {
  return [...new Set<StructureId>([defaultStructure, ...structures])].flatMap((id): Structure[] => {
    if (id !== 'custom')
      return [{ id, headings: structureHeadings[id].map((name) => headings[name]) }];
    if (!template) return [];
    const customHeadings = template.sections.map(({ heading, wants }, index) => ({
      key: `own_${index + 1}`,
      heading,
      wants: wants === '' ? heading : `${heading}: ${wants}`,
    }));
    return [{ id, headings: customHeadings }];
  });
}

/** Creates the answer schemas for the requested headings. */
export function answerSchemas(structures: readonly Structure[]) {
  const writtenSections = new Map(
    structures
      .flatMap((structure) => structure.headings)
      .flatMap(({ key, list, wants }) => (list ? [] : [[key, z.array(point).describe(wants)]])),
  );
  const draft = z.object({
    title: z.string().describe('a short name for the recording, at most 60 characters'),
    brief: z.string().describe('what it is about, in one or two sentences'),
    keywords: z.array(z.string()).describe('at most ten, the most telling first'),
    sections: z.object(
      Object.fromEntries(writtenSections) as Record<string, z.ZodArray<typeof point>>,
    ),
  });
  return { draft, notes: draft.extend(lists) };
}

export type Point = z.output<typeof point>;
export type Draft = z.output<ReturnType<typeof answerSchemas>['draft']>;
export type Notes = z.output<ReturnType<typeof answerSchemas>['notes']>;
