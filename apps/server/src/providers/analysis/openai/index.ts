/**
 * The analyzer that uses a language model. It reads a long transcript in parts and then merges the notes. Everything
 * that the model returns is verified against the transcript (`check.ts`).
 */
import type { SummaryDocument } from '@linnet/contract';
import { defaultStructure, structureIds, summaryLists } from '@linnet/contract/structures';
import { inParallel } from '../../openai/in-parallel.ts';
import { openService, type ServiceOptions } from '../../openai/service.ts';
import {
  type Analysis,
  AnalysisFailure,
  type AnalysisNote,
  type AnalyzeRequest,
  type TranscriptAnalyzer,
} from '../port.ts';
import { shorten } from '../shorten.ts';
import { parseAnswer } from './answer.ts';
import { type Chat, ContextExceeded, createChat } from './chat.ts';
import { type Sources, toLists, toPoints } from './check.ts';
import { type PromptNotes, promptNotes } from './notes.ts';
import { divide, halve } from './parts.ts';
import { mergePrompt, notesPrompt } from './prompts.ts';
import {
  answerSchemas,
  type Draft,
  type Notes,
  type Point,
  type Structure,
  structuresOf,
} from './wire.ts';

export interface OpenAiAnalysisOptions extends ServiceOptions {
  readonly model: string;
  /** Size of the context window in tokens, including the answer. */
  readonly contextTokens: number;
  /** Maximum concurrent requests. */
  readonly concurrency: number;
}

/** Fraction of the context window for the transcript. The rest is for the instructions and the answer. */
const DATA_SHARE = 0.5;
const TITLE_LENGTH = 60;
const MAX_KEYWORDS = 10;
/** Fraction of the progress allotted to reading. Merging gets the rest. */
const READING_SHARE = 0.9;

/** Analyzes with a service that implements OpenAI's `POST chat/completions`. The transcript is sent to that service. */
export function createOpenAiAnalyzer(options: OpenAiAnalysisOptions): TranscriptAnalyzer {
  const chat = createChat(openService(options), options.model, options.clock);
  const engine = `openai/${options.model}`;
  return {
    id: 'openai',
    kind: 'generative',
    structures: structureIds,
    translates: true,

    async analyze(request): Promise<Analysis> {
      if (request.signal?.aborted) throw new AnalysisFailure('aborted', 'before the first request');
      const sources: Sources = new Map(
        request.paragraphs
          .filter(({ text }) => text.trim() !== '')
          .map((paragraph, index) => [`p${index + 1}`, paragraph]),
      );
      const structures = structuresOf(request);
      const budget = Math.floor(options.contextTokens * DATA_SHARE);
      const run: Run = {
        chat,
        request,
        sources,
        schemas: answerSchemas(structures),
        budget,
        ownerNotes: promptNotes(request.notes ?? [], [...sources.values()], budget),
        concurrency: options.concurrency,
      };
      const parts = sources.size === 0 ? [] : await readParts(run);
      const draft = await mergeDrafts(run, parts);
      request.onProgress?.(1);
      return toAnalysis(engine, request, structures, sources, parts, draft);
    },
  };
}

interface Run {
  readonly chat: Chat;
  readonly request: AnalyzeRequest;
  readonly sources: Sources;
  readonly schemas: ReturnType<typeof answerSchemas>;
  readonly budget: number;
  readonly ownerNotes: PromptNotes;
  readonly concurrency: number;
}

/** A paragraph as sent to the model. */
interface PromptParagraph {
  readonly id: string;
  readonly speaker?: string;
  readonly text: string;
  /** The user's notes from that time. */
  readonly owner_notes?: readonly AnalysisNote[];
}

/** Requests notes on the transcript, part by part. */
async function readParts(run: Run): Promise<Notes[]> {
  const { request } = run;
  const inputs = [...run.sources].map(([id, { speaker, text }], index): PromptParagraph => {
    const notes = run.ownerNotes.beside.get(index);
    return {
      id,
      ...(speaker !== undefined && { speaker }),
      text,
      ...(notes && { owner_notes: notes }),
    };
  });
  const parts = divide(inputs, (paragraph) => JSON.stringify(paragraph), run.budget);
  let completedCount = 0;
  const readNumberedPart = async (part: (typeof numberedParts)[number], signal: AbortSignal) => {
    const notes = await readPart(run, part.paragraphs, part.number, parts.length, signal);
    completedCount += part.paragraphs.length;
    request.onProgress?.(READING_SHARE * (completedCount / inputs.length));
    return notes;
  };
  const numberedParts = parts.map((paragraphs, index) => ({ paragraphs, number: index + 1 }));
  return (
    await inParallel(numberedParts, run.concurrency, readNumberedPart, request.signal)
  ).flat();
}

/**
 * Requests notes on one part, or on each of its halves if the part exceeds the model's actual limit. Both halves of a
 * single paragraph have the same ID. If a part is too short to be halved, the model must have filled the limit by
 * repeating itself, so the beginning of its answer is used.
 */
async function readPart(
  run: Run,
  paragraphs: readonly PromptParagraph[],
  number: number,
  count: number,
  signal: AbortSignal,
): Promise<Notes[]> {
  const ids = new Set(paragraphs.map(({ id }) => id));
  const { before } = run.ownerNotes;
  try {
    const notes = await run.chat.ask(
      {
        system: notesPrompt(run.request, number, count),
        data: { ...(before.length > 0 && { owner_notes: before }), paragraphs },
        schema: run.schemas.notes,
        check: ({ sections }) => checkSources(sections, ids),
      },
      signal,
    );
    return [keepOnlySources(notes, ids)];
  } catch (error) {
    if (!(error instanceof ContextExceeded)) throw error;
    const halves = halvePart(paragraphs);
    if (!halves) {
      const beginning = parseAnswer(error.beginning, run.schemas.notes);
      if (beginning.problem === null) return [keepOnlySources(beginning.value, ids)];
      throw new AnalysisFailure('answer-unusable', error.message);
    }
    return [
      ...(await readPart(run, halves[0], number, count, signal)),
      ...(await readPart(run, halves[1], number, count, signal)),
    ];
  }
}

function halvePart(
  paragraphs: readonly PromptParagraph[],
): readonly [readonly PromptParagraph[], readonly PromptParagraph[]] | null {
  const [paragraph] = paragraphs;
  if (!paragraph || paragraphs.length > 1) {
    const middle = Math.ceil(paragraphs.length / 2);
    return [paragraphs.slice(0, middle), paragraphs.slice(middle)];
  }
  const texts = halve(paragraph.text);
  if (!texts) return null;
  const { owner_notes: _, ...rest } = paragraph;
  return [[{ ...paragraph, text: texts[0] }], [{ ...rest, text: texts[1] }]];
}

/** Merges drafts into one. As long as they don't fit into the budget together, they are merged in groups. */
async function mergeDrafts(run: Run, drafts: readonly Draft[]): Promise<Draft> {
  const [first, ...others] = drafts.map(({ title, brief, keywords, sections }) => ({
    title,
    brief,
    keywords,
    sections,
  }));
  if (!first) return { title: '', brief: '', keywords: [], sections: {} };
  if (others.length === 0) return first;
  const groups = divide([first, ...others], (draft) => JSON.stringify(draft), run.budget, 2);
  const merged = await inParallel(
    groups,
    run.concurrency,
    (group, signal) => mergeGroup(run, group, signal),
    run.request.signal,
  );
  return mergeDrafts(run, merged);
}

async function mergeGroup(run: Run, group: readonly Draft[], signal: AbortSignal): Promise<Draft> {
  const [first] = group;
  if (first && group.length === 1) return first;
  const joined = joinDrafts(group);
  const ids = new Set(
    group.flatMap(({ sections }) => pointsOf(sections)).map(({ source }) => source),
  );
  try {
    const draft = await run.chat.ask(
      {
        system: mergePrompt(run.request),
        data: { notes: group },
        schema: run.schemas.draft,
        check: ({ sections }) => checkSources(sections, ids),
      },
      signal,
    );
    const merged = keepOnlySources(draft, ids);
    return {
      title: merged.title.trim() || joined.title,
      brief: merged.brief.trim() || joined.brief,
      keywords: merged.keywords.length > 0 ? merged.keywords : joined.keywords,
      sections: pointsOf(merged.sections).length > 0 ? merged.sections : joined.sections,
    };
  } catch (error) {
    const isUnmerged =
      error instanceof ContextExceeded ||
      (error instanceof AnalysisFailure && error.code === 'answer-unusable');
    if (!isUnmerged) throw error;
    return joined;
  }
}

/** Concatenates drafts, if the model can't merge them. */
function joinDrafts(drafts: readonly Draft[]): Draft {
  const keys = new Set(drafts.flatMap(({ sections }) => Object.keys(sections)));
  return {
    title: drafts.find(({ title }) => title.trim() !== '')?.title ?? '',
    brief: drafts.map(({ brief }) => brief).join(' '),
    keywords: drafts.flatMap(({ keywords }) => keywords),
    sections: Object.fromEntries(
      [...keys].map((key) => [key, drafts.flatMap(({ sections }) => sections[key] ?? [])]),
    ),
  };
}

function pointsOf(sections: Draft['sections']): Point[] {
  return Object.values(sections).flat();
}

/** Rejects a draft that doesn't cite any existing source. */
function checkSources(sections: Draft['sections'], ids: ReadonlySet<string>): string | null {
  if (ids.size === 0) return null;
  const hasValidSource = pointsOf(sections).some(
    ({ text, source }) => text.trim() !== '' && ids.has(source),
  );
  return hasValidSource
    ? null
    : 'no section has a point whose source is the id of a paragraph given';
}

/** Removes entries whose source doesn't exist. */
function keepOnlySources<Answer extends Draft>(answer: Answer, ids: ReadonlySet<string>): Answer {
  const keepSupported = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.filter((entry) => typeof entry !== 'object' || ids.has((entry as Point).source));
    }
    return value;
  };
  const filterFields = (object: object) =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, keepSupported(value)]));
  return {
    ...(filterFields(answer) as Answer),
    sections: filterFields(answer.sections) as Draft['sections'],
  };
}

function toAnalysis(
  engine: string,
  request: AnalyzeRequest,
  structures: readonly Structure[],
  sources: Sources,
  parts: readonly Notes[],
  draft: Draft,
): Analysis {
  const lists = toLists(parts, sources);
  const toSections = ({ id, headings }: Structure) => ({
    sections: headings.map(({ heading, key, list }) => {
      const name = `${id}-${key}`;
      if (!list) return { heading, items: toPoints(name, draft.sections[key] ?? [], sources) };
      const items = lists[list].map((item) => ({
        id: `${name}-${item.id}`,
        text: item.text,
        paragraph_id: item.paragraph_id,
        start_time: item.start_time,
      }));
      return { heading, items };
    }),
  });
  const document: SummaryDocument = {
    version: 1,
    engine,
    kind: 'generative',
    language: request.summaryLanguage ?? request.language,
    structure: structures.find(({ id }) => id === request.structures[0])?.id ?? defaultStructure,
    structures: Object.fromEntries(
      structures.map((structure) => [structure.id, toSections(structure)]),
    ),
    ...lists,
    looked_for: [...summaryLists],
  };
  const overview = document.structures.general?.sections.flatMap(({ items }) => items) ?? [];
  return {
    title: shorten(draft.title.trim(), TITLE_LENGTH),
    brief: draft.brief.trim(),
    summary: overview.map(({ text }) => text).join('\n'),
    keywords: unique(draft.keywords).slice(0, MAX_KEYWORDS),
    document,
    engine,
  };
}

/** Removes case-insensitive duplicates. */
function unique(words: readonly string[]): string[] {
  const uniqueWords = new Map<string, string>();
  for (const word of words.map((text) => text.trim())) {
    const key = word.toLowerCase();
    if (word !== '' && !uniqueWords.has(key)) uniqueWords.set(key, word);
  }
  return [...uniqueWords.values()];
}
