/**
 * Transcript analysis, as used by the worker: paragraphs in, title,
 * summary, keywords and the versioned summary document out. Every engine is an
 * adapter in a folder of its own and passes the suite in `contract-suite.ts`.
 */
import type { SummaryDocument, SummaryTemplate } from '@linnet/contract';
import type { StructureId } from '@linnet/contract/structures';

/** One paragraph of the transcript. Times are seconds with milliseconds. */
export interface AnalysisParagraph {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Who speaks, by the owner's name for them where there is one. */
  readonly speaker?: string;
  /** The words of `text` in order, when known and unedited; items then get the time of their own first word. */
  readonly words?: readonly { readonly text: string; readonly start: number }[];
}

export interface AnalyzeRequest {
  readonly paragraphs: readonly AnalysisParagraph[];
  /** BCP-47, of what was said. */
  readonly language: string;
  /** BCP-47, of the summary; as `language` if absent. */
  readonly summaryLanguage?: string;
  /** Requested structures of the document, most important first; `general` is always made. */
  readonly structures: readonly StructureId[];
  /** The owner's own structure, when `custom` is among them. */
  readonly template?: SummaryTemplate;
  /** When it was recorded: "tomorrow" is the day after. */
  readonly recordedAt: Date;
  readonly signal?: AbortSignal;
  /** Called with the fraction done, rising from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

export interface Analysis {
  /** Short name for the recording, at most 60 characters; empty when nothing was said. Becomes `ai_title`. */
  readonly title: string;
  /** One or two sentences. */
  readonly brief: string;
  /** The summary as plain text, one sentence or point per line. */
  readonly summary: string;
  /** Most relevant first. */
  readonly keywords: readonly string[];
  readonly document: SummaryDocument;
  /** Which engine, as stored with the task and shown to the reader. */
  readonly engine: string;
}

/**
 * Closed set of reasons why an analysis failed.
 *
 * | code | cause | what the worker does |
 * |---|---|---|
 * | service-unavailable | the endpoint did not answer, or asks to wait longer than we do | tries again later |
 * | quota-exhausted | the endpoint refuses until its operator pays or waits | the summary fails |
 * | access-refused | the endpoint does not accept the key, or knows no such model | the summary fails |
 * | answer-unusable | what it answers does not fit the document, asked again and again | the summary fails |
 * | aborted | the caller's signal | nothing: the caller knows |
 */
export type AnalysisFailureCode =
  | 'service-unavailable'
  | 'quota-exhausted'
  | 'access-refused'
  | 'answer-unusable'
  | 'aborted';

/** The only error an analyzer throws. `detail` is for logs and never holds what was said. */
export class AnalysisFailure extends Error {
  override readonly name = 'AnalysisFailure';
  readonly code: AnalysisFailureCode;

  constructor(code: AnalysisFailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }

  /** Whether the same request may succeed later without intervention. */
  get retryable(): boolean {
    return this.code === 'service-unavailable';
  }
}

export interface TranscriptAnalyzer {
  /** Stable name, the value of `LLM` that selects it. */
  readonly id: string;
  /** Whether its sentences are quoted or generated. */
  readonly kind: SummaryDocument['kind'];
  /** Supported structures. */
  readonly structures: readonly StructureId[];
  /** Whether the summary may be in another language than what was said. */
  readonly translates: boolean;
  /**
   * Analyses a transcript of any length.
   * @throws {AnalysisFailure}
   */
  analyze(request: AnalyzeRequest): Promise<Analysis>;
}
