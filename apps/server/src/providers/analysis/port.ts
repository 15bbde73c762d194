/**
 * Transcript analysis, as used by the worker. An analyzer receives paragraphs and returns the title, summary, keywords
 * and the versioned summary document. Every engine is an adapter in its own folder and passes the tests in
 * `contract-suite.ts`.
 */
import type { SummaryDocument, SummaryTemplate } from '@linnet/contract';
import type { StructureId } from '@linnet/contract/structures';

/** One paragraph of the transcript. Times are in seconds, with millisecond precision. */
export interface AnalysisParagraph {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /**
   * The speaker's name as set by the user, or a default name in the summary's language. Undefined if the speaker is
   * unknown.
   */
  readonly speaker?: string;
  /** The words of `text` in order, if known and unedited. With these, an item gets the time of its first word. */
  readonly words?: readonly { readonly text: string; readonly start: number }[];
}

/**
 * A line that the user typed. It shows what matters to the user, but wasn't said. Analyzers give more weight to
 * sentences near the note or with words in common, but extract nothing from the note itself.
 */
export interface AnalysisNote {
  /** When the user started typing, in seconds, or 0 for a note from before the recording. */
  readonly time: number;
  readonly text: string;
}

export interface AnalyzeRequest {
  readonly paragraphs: readonly AnalysisParagraph[];
  /** The user's notes, sorted by time. */
  readonly notes?: readonly AnalysisNote[];
  /** BCP 47 tag of the transcript's language. */
  readonly language: string;
  /** BCP 47 tag of the summary's language, by default `language`. */
  readonly summaryLanguage?: string;
  /** Requested structures, most important first. `general` is always included. */
  readonly structures: readonly StructureId[];
  /** The user's template, for the structure `custom`. */
  readonly template?: SummaryTemplate;
  /**
   * Local time when the recording was made, expressed as if it were UTC. Needed to resolve words such as "tomorrow".
   */
  readonly recordedAt: Date;
  readonly signal?: AbortSignal;
  /** Called with the completed fraction, rising from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

export interface Analysis {
  /** A short name for the recording, at most 60 characters, or '' if there is no speech. Stored as `ai_title`. */
  readonly title: string;
  /** A summary in one or two sentences. */
  readonly brief: string;
  /** The summary in plain text, with one sentence or point per line. */
  readonly summary: string;
  /** The keywords, most relevant first. */
  readonly keywords: readonly string[];
  readonly document: SummaryDocument;
  /** Name of the engine, as stored with the task and shown to the user. */
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
 * | engine-missing | the engine or its model isn't installed, or the model's files are damaged | fails the summary |
 * | engine-failed | the engine's process crashed, ran out of memory or took too long | fails the summary |
 * | aborted | the caller aborted | none |
 */
export type AnalysisFailureCode =
  | 'service-unavailable'
  | 'quota-exhausted'
  | 'access-refused'
  | 'answer-unusable'
  | 'engine-missing'
  | 'engine-failed'
  | 'aborted';

/** The only error that an analyzer throws. `detail` is for logs and never contains transcript text. */
export class AnalysisFailure extends Error {
  override readonly name = 'AnalysisFailure';
  readonly code: AnalysisFailureCode;
  readonly detail: string;

  constructor(code: AnalysisFailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.detail = detail;
  }

  /** Whether the same request may succeed later without intervention. */
  get retryable(): boolean {
    return this.code === 'service-unavailable';
  }
}

/** A question, and the passages that may answer it, best first. */
export interface AnswerRequest {
  readonly question: string;
  /** The earlier question, if this is a follow-up. */
  readonly earlier?: string;
  /** The day of the question, as YYYY-MM-DD. */
  readonly today: string;
  readonly passages: readonly AnswerPassage[];
  readonly signal?: AbortSignal;
  /** Called with all sentences so far, whenever they change. */
  readonly onSentences?: (sentences: readonly WrittenSentence[]) => void;
}

export interface AnswerPassage {
  readonly id: string;
  readonly text: string;
  /** Name of the recording. */
  readonly recording: string;
  /** Day of the recording, as YYYY-MM-DD. */
  readonly day: string;
  /** Name of the speaker, if known. */
  readonly speaker?: string;
}

export interface WrittenSentence {
  readonly text: string;
  /** ID of the passage that supports the sentence. */
  readonly source: string;
}

export interface WrittenAnswer {
  /** The sentences in order. Empty if the passages don't contain the answer. */
  readonly sentences: readonly WrittenSentence[];
  /** Name of the engine and the model. */
  readonly engine: string;
}

export interface TranscriptAnalyzer {
  /** Stable name: the value of `LLM` that selects the analyzer. */
  readonly id: string;
  /** Whether the analyzer's sentences are quoted or generated. */
  readonly kind: SummaryDocument['kind'];
  /** The supported structures. */
  readonly structures: readonly StructureId[];
  /** Whether the summary can be in a language other than the transcript's. */
  readonly translates: boolean;
  /**
   * Whether an analysis is too slow, or too heavy for this machine, to wait for it. Then, the transcript is stored with
   * the built-in analysis, which a separate job replaces later.
   */
  readonly isDeferred?: boolean;
  /**
   * Analyzes a transcript of any length.
   * @throws AnalysisFailure
   */
  analyze(request: AnalyzeRequest): Promise<Analysis>;
  /**
   * Writes an answer from passages. Undefined if the analyzer only quotes.
   * @throws AnalysisFailure
   */
  answer?(request: AnswerRequest): Promise<WrittenAnswer>;
  /**
   * Describes what has to be installed before the analyzer works, or returns null. Undefined if it needs no
   * installation.
   */
  missing?(): Promise<string | null>;
  /** Stops the analyzer's processes, if any. A later analysis restarts them. */
  close?(): Promise<void>;
}
