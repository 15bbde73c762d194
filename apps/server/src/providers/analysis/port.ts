/**
 * Understanding a transcript as the worker sees it: paragraphs in, title,
 * summary, keywords and the versioned summary document out.
 */

/** One paragraph of the transcript. Times are seconds with milliseconds. */
export interface AnalysisParagraph {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The words of `text` in order, when known and unedited; items then get the time of their own first word. */
  readonly words?: readonly { readonly text: string; readonly start: number }[];
}

export interface AnalyseRequest {
  readonly paragraphs: readonly AnalysisParagraph[];
  /** BCP-47. */
  readonly language: string;
  readonly signal?: AbortSignal;
}

/** Something found in the transcript; `text` comes from the paragraph it points to. */
export interface SummaryItem {
  /** Unique inside its document and stable for the same transcript (`todos-1`). */
  readonly id: string;
  readonly text: string;
  readonly paragraph_id: string;
  /** Seconds from the start of the recording. */
  readonly start_time: number;
}

/** One summary structure (template): sections of items under the template's headings. */
export interface SummaryStructure {
  readonly sections: readonly {
    /** Key of the heading; the interface words it. */
    readonly heading: string;
    readonly items: readonly SummaryItem[];
  }[];
}

/**
 * `summary_json` of a task, version 1. A list is empty when the engine found
 * nothing, or does not look for it in this language (`looked_for` tells which).
 */
export interface SummaryDocument {
  readonly version: 1;
  readonly engine: string;
  /** BCP-47. */
  readonly language: string;
  readonly structures: { readonly general: SummaryStructure };
  readonly todos: readonly SummaryItem[];
  readonly knowledge_points: readonly SummaryItem[];
  readonly needs: readonly SummaryItem[];
  readonly questions: readonly SummaryItem[];
  readonly finance: readonly SummaryItem[];
  readonly timeline: readonly SummaryItem[];
  readonly topics: readonly SummaryItem[];
  /** The lists this engine looks for in this language: an empty one among them means "none said". */
  readonly looked_for: readonly SummaryListName[];
}

export type SummaryListName =
  | 'todos'
  | 'knowledge_points'
  | 'needs'
  | 'questions'
  | 'finance'
  | 'timeline'
  | 'topics';

export interface Analysis {
  /** Short name for the recording, at most 60 characters; empty when nothing was said. Becomes `ai_title`. */
  readonly title: string;
  /** One or two sentences. */
  readonly brief: string;
  /** The summary as plain text, one sentence or point per line. */
  readonly summary: string;
  /** Most telling first. */
  readonly keywords: readonly string[];
  readonly document: SummaryDocument;
  /** Which engine, as stored with the task and shown to the reader. */
  readonly engine: string;
}

/**
 * Closed set of reasons why an analysis failed.
 * - `service-unavailable`: the endpoint did not answer; retry soon.
 * - `quota-exhausted`: the endpoint refuses until its operator pays or waits; retrying soon is useless.
 * - `answer-unusable`: it answered something that does not fit the document.
 * - `aborted`: the caller's signal.
 */
export type AnalysisFailureCode =
  | 'service-unavailable'
  | 'quota-exhausted'
  | 'answer-unusable'
  | 'aborted';

/** The only error an analyser throws. `detail` is for logs and never holds what was said. */
export class AnalysisFailure extends Error {
  override readonly name = 'AnalysisFailure';
  readonly code: AnalysisFailureCode;

  constructor(code: AnalysisFailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export interface TranscriptAnalyser {
  /** Stable name, the value of `LLM` that selects it. */
  readonly id: string;
  /**
   * Reads the whole transcript, however long.
   * @throws {AnalysisFailure}
   */
  analyse(request: AnalyseRequest): Promise<Analysis>;
}
