/**
 * Transcript analysis, as used by the worker. It receives paragraphs and returns the title, summary, keywords and the
 * versioned summary document. Every engine is an adapter in its own folder and passes the tests in `contract-suite.ts`.
 */
import type { SummaryDocument, SummaryTemplate } from '@linnet/contract';
import type { StructureId } from '@linnet/contract/structures';

/** One paragraph of the transcript. Times are seconds with milliseconds. */
export interface AnalysisParagraph {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The speaker, by the name the owner has given them, if any. */
  readonly speaker?: string;
  /** The words of `text` in order, if known and unedited. Items then get the time of their first word. */
  readonly words?: readonly { readonly text: string; readonly start: number }[];
}

export interface AnalyzeRequest {
  readonly paragraphs: readonly AnalysisParagraph[];
  /** The transcript's BCP-47 language. */
  readonly language: string;
  /** The summary's BCP-47 language; `language` if absent. */
  readonly summaryLanguage?: string;
  /** The document's requested structures, most important first; `general` is always included. */
  readonly structures: readonly StructureId[];
  /** The owner's template, for the structure `custom`. */
  readonly template?: SummaryTemplate;
  /** When the recording was made, for words like "tomorrow": the time on the owner's clock, as if it were UTC. */
  readonly recordedAt: Date;
  readonly signal?: AbortSignal;
  /** Called with the fraction done, rising from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

export interface Analysis {
  /** A short name for the recording, at most 60 characters; empty if there is no speech. Becomes `ai_title`. */
  readonly title: string;
  /** One or two sentences. */
  readonly brief: string;
  /** The summary as plain text, one sentence or point per line. */
  readonly summary: string;
  /** The keywords, most relevant first. */
  readonly keywords: readonly string[];
  readonly document: SummaryDocument;
  /** The engine, as stored with the task and shown to the reader. */
  readonly engine: string;
}

/**
 * Why an analysis failed.
 *
 * | code | cause | worker's action |
 * |---|---|---|
 * | service-unavailable | the service did not respond, or requested too long a delay | retries later |
 * | quota-exhausted | the service's quota or credit is used up | fails the summary |
 * | access-refused | the service rejected the key, or does not have the model | fails the summary |
 * | answer-unusable | no attempt returned a valid document | fails the summary |
 * | aborted | the caller aborted | none |
 */
export type AnalysisFailureCode =
  | 'service-unavailable'
  | 'quota-exhausted'
  | 'access-refused'
  | 'answer-unusable'
  | 'aborted';

/** The only error an analyzer throws. `detail` is for logs and never contains transcript text. */
export class AnalysisFailure extends Error {
  override readonly name = 'AnalysisFailure';
  readonly code: AnalysisFailureCode;

  constructor(code: AnalysisFailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }

  /** Whether retrying the same request may succeed without intervention. */
  get retryable(): boolean {
    return this.code === 'service-unavailable';
  }
}

export interface TranscriptAnalyzer {
  /** Stable name, the value of `LLM` that selects it. */
  readonly id: string;
  /** Whether its sentences are quoted or generated. */
  readonly kind: SummaryDocument['kind'];
  /** The supported structures. */
  readonly structures: readonly StructureId[];
  /** Whether the summary may be in a different language from the transcript's. */
  readonly translates: boolean;
  /**
   * Analyzes a transcript of any length.
   * @throws {AnalysisFailure}
   */
  analyze(request: AnalyzeRequest): Promise<Analysis>;
}
