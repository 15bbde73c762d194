/**
 * The analyzer that uses a language model. Long transcripts are processed in parts: the model takes notes on each part
 * and then merges them. The results are verified against the transcript (`check.ts`).
 */
import type { SummaryDocument } from '@linnet/contract';
import { defaultStructure, structureIds, summaryLists } from '@linnet/contract/structures';
import { runInParallel } from '../../openai/in-parallel.ts';
import {
  type Analysis,
  AnalysisFailure,
  type AnalysisNote,
  type AnalyzeRequest,
  type AnswerRequest,
  type TranscriptAnalyzer,
  type WrittenAnswer,
} from '../port.ts';
import { shorten } from '../shorten.ts';
import { parseAnswer } from './answer.ts';
import { type Sources, toLists, toPoints } from './check.ts';
import { ContextExceeded, countPieces, type LanguageModel } from './model.ts';
import { type PromptNotes, promptNotes } from './notes.ts';
import { divide, halve } from './parts.ts';
import { mergePrompt, notesPrompt } from './prompts.ts';
import {
  answerSchemas,
  type Draft,
  type Notes,
  type Point,
  type Structure,
  selectStructures,
} from './wire.ts';
import { writeAnswer } from './writer.ts';

export interface GenerativeOptions {
  /** Value of `LLM` that selects the analyzer. */
  readonly id: string;
  /**
   * Returns the model for one analysis.
   * @throws AnalysisFailure
   */
  readonly open: (signal: AbortSignal | undefined) => Promise<LanguageModel>;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
}

const TITLE_LENGTH = 60;
const MAX_KEYWORDS = 10;
/** Fraction of the progress bar allotted to taking notes on the parts. Merging gets the rest. */
const READING_SHARE = 0.9;

/** Creates an analyzer that uses a language model. */
export function createGenerativeAnalyzer(options: GenerativeOptions): TranscriptAnalyzer {
  return {
    id: options.id,
    kind: 'generative',
    structures: structureIds,
    translates: true,

    analyze: (request) => withModel(request.signal, (model) => analyzeWith(model, request)),
    answer: (request) => withModel(request.signal, (model) => answerWith(model, request)),
  };

  /** @throws AnalysisFailure, including when a single passage exceeds the model's context window */
  async function answerWith(model: LanguageModel, request: AnswerRequest): Promise<WrittenAnswer> {
    try {
      return await writeAnswer(model, request);
    } catch (error) {
      if (!(error instanceof ContextExceeded)) throw error;
      const passages = request.passages.slice(0, Math.floor(request.passages.length / 2));
      if (passages.length === 0) throw new AnalysisFailure('answer-unusable', error.message);
      return answerWith(model, { ...request, passages });
    }
  }

  /** Opens the model for an operation, and releases it afterwards. */
  async function withModel<Result>(
    signal: AbortSignal | undefined,
    use: (model: LanguageModel) => Promise<Result>,
  ): Promise<Result> {
    if (signal?.aborted) throw new AnalysisFailure('aborted', 'before the first request');
    const model = await options.open(signal);
    try {
      return await use(model);
    } finally {
      await model.release?.();
    }
  }

  async function analyzeWith(model: LanguageModel, request: AnalyzeRequest): Promise<Analysis> {
    const sources: Sources = new Map(
      request.paragraphs
        .filter(({ text }) => text.trim() !== '')
        .map((paragraph, index) => [`p${index + 1}`, paragraph]),
    );
    const structures = selectStructures(request);
    const schemas = answerSchemas(structures);
    const parts: Notes[] = [];
    let draft = emptyDraft;
    if (sources.size > 0) {
      const run: Run = { model, request, sources, schemas, concurrency: options.concurrency };
      parts.push(...(await readParts(run)));
      draft = await mergeParts(run, parts);
    }
    request.onProgress?.(1);
    return toAnalysis(model.name, request, structures, sources, parts, draft);
  }
}

const emptyDraft: Draft = { title: '', brief: '', keywords: [], sections: {} };

interface Run {
  readonly model: LanguageModel;
  readonly request: AnalyzeRequest;
  readonly sources: Sources;
  readonly schemas: ReturnType<typeof answerSchemas>;
  readonly concurrency: number;
}

/** A paragraph as sent to the model. */
interface PromptParagraph {
  readonly id: string;
  readonly speaker?: string;
  readonly text: string;
  /** The notes that the user took during the paragraph. */
  readonly owner_notes?: readonly AnalysisNote[];
}

/** Requests notes on the transcript, part by part. */
async function readParts(run: Run): Promise<Notes[]> {
  const { model, request } = run;
  const { signal } = request;
  const budget = await model.maxDataTokens(notesPrompt(request, 1, 2), run.schemas.notes, signal);
  const ownerNotes = await promptNotes(model, request, [...run.sources.values()], budget);
  const inputs = [...run.sources].map(([id, { speaker, text }], index): PromptParagraph => {
    const notes = ownerNotes.beside.get(index);
    return {
      id,
      ...(speaker !== undefined && { speaker }),
      text,
      ...(notes && { owner_notes: notes }),
    };
  });
  const parts = divide(inputs, await countPieces(model, inputs, signal), budget);
  let completedCount = 0;
  const readNumberedPart = async (part: (typeof numberedParts)[number], stop: AbortSignal) => {
    const position = { number: part.number, count: parts.length };
    const notes = await readPart(run, ownerNotes.before, part.paragraphs, position, stop);
    completedCount += part.paragraphs.length;
    request.onProgress?.(READING_SHARE * (completedCount / inputs.length));
    return notes;
  };
  const numberedParts = parts.map((paragraphs, index) => ({ paragraphs, number: index + 1 }));
  return (await runInParallel(numberedParts, run.concurrency, readNumberedPart, signal)).flat();
}

/**
 * Requests notes on one part, or recursively on each of its halves if the part exceeds the model's context window. Both
 * halves of a single paragraph have the same ID. If a part is too short to be halved, the model must have filled the
 * context window by repeating itself, so the beginning of its answer is used.
 */
async function readPart(
  run: Run,
  before: PromptNotes['before'],
  paragraphs: readonly PromptParagraph[],
  position: { readonly number: number; readonly count: number },
  signal: AbortSignal,
): Promise<Notes[]> {
  const ids = new Set(paragraphs.map(({ id }) => id));
  try {
    const notes = await run.model.ask(
      {
        system: notesPrompt(run.request, position.number, position.count),
        data: { ...(before.length > 0 && { owner_notes: before }), paragraphs },
        schema: run.schemas.notes,
        sources: ids,
        check: ({ sections }) => checkSources(sections, ids),
      },
      signal,
    );
    return [keepSupportedEntries(notes, ids)];
  } catch (error) {
    if (!(error instanceof ContextExceeded)) throw error;
    const halves = halvePart(paragraphs);
    if (!halves) {
      const beginning = parseAnswer(error.beginning, run.schemas.notes);
      if (beginning.problem === null) return [keepSupportedEntries(beginning.value, ids)];
      throw new AnalysisFailure('answer-unusable', error.message);
    }
    return [
      ...(await readPart(run, before, halves[0], position, signal)),
      ...(await readPart(run, before, halves[1], position, signal)),
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

/** Merges the drafts of all parts into one. */
async function mergeParts(run: Run, parts: readonly Notes[]): Promise<Draft> {
  const drafts = parts.map(
    ({ title, brief, keywords, sections }): Draft => ({ title, brief, keywords, sections }),
  );
  const [first = emptyDraft, ...others] = drafts;
  if (others.length === 0) return first;
  const { model, request, schemas } = run;
  const budget = await model.maxDataTokens(mergePrompt(request), schemas.draft, request.signal);
  return mergeDrafts(run, drafts, budget);
}

/** Merges drafts into one. If they exceed the budget together, they are first merged in groups. */
async function mergeDrafts(run: Run, drafts: readonly Draft[], budget: number): Promise<Draft> {
  const [first = emptyDraft, ...others] = drafts;
  if (others.length === 0) return first;
  const { signal } = run.request;
  const groups = divide(drafts, await countPieces(run.model, drafts, signal), budget, 2);
  const merged = await runInParallel(
    groups,
    run.concurrency,
    (group, stop) => mergeGroup(run, group, stop),
    signal,
  );
  return mergeDrafts(run, merged, budget);
}

async function mergeGroup(run: Run, group: readonly Draft[], signal: AbortSignal): Promise<Draft> {
  const [first] = group;
  if (first && group.length === 1) return first;
  const joined = joinDrafts(group);
  const ids = new Set(
    group.flatMap(({ sections }) => getPoints(sections)).map(({ source }) => source),
  );
  try {
    const draft = await run.model.ask(
      {
        system: mergePrompt(run.request),
        data: { notes: group },
        schema: run.schemas.draft,
        sources: ids,
        check: ({ sections }) => checkSources(sections, ids),
      },
      signal,
    );
    const merged = keepSupportedEntries(draft, ids);
    return {
      title: merged.title.trim() || joined.title,
      brief: merged.brief.trim() || joined.brief,
      keywords: merged.keywords.length > 0 ? merged.keywords : joined.keywords,
      sections: getPoints(merged.sections).length > 0 ? merged.sections : joined.sections,
    };
  } catch (error) {
    const canUseJoined =
      error instanceof ContextExceeded ||
      (error instanceof AnalysisFailure && error.code === 'answer-unusable');
    if (!canUseJoined) throw error;
    return joined;
  }
}

/** Concatenates drafts. Used if the model can't merge them. */
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

function getPoints(sections: Draft['sections']): Point[] {
  return Object.values(sections).flat();
}

/** Rejects a draft that doesn't cite any existing source. */
function checkSources(sections: Draft['sections'], ids: ReadonlySet<string>): string | null {
  if (ids.size === 0) return null;
  const hasValidSource = getPoints(sections).some(
    ({ text, source }) => text.trim() !== '' && ids.has(source),
  );
  return hasValidSource
    ? null
    : 'no section has a point whose source is the ID of a given paragraph';
}

/** Removes entries whose source doesn't exist. */
function keepSupportedEntries<Answer extends Draft>(
  answer: Answer,
  ids: ReadonlySet<string>,
): Answer {
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
