/**
 * Speech recognition as the worker sees it: 16 kHz mono audio in, words with
 * times and confidences out. Every engine is an adapter in a folder of its own
 * and passes the suite in `contract-suite.ts`.
 */
import type { SpeechSegment } from '../voice/port.ts';

/** Sample rate every recognizer takes, in hertz: what the recorder's Opus stream decodes to. */
export const SPEECH_SAMPLE_RATE = 16_000;

/** The quality to expect of an engine in one language. The interface shows it. */
export type SpeechQuality = 'draft' | 'good';

export interface SpeechLanguage {
  /** BCP-47, as stored with a task (`en`, `zh-Hans`); `auto` where the engine detects the language. */
  readonly tag: string;
  readonly quality: SpeechQuality;
}

/** One recognized word. Times are seconds from the start of the audio, to the millisecond. */
export interface RecognizedWord {
  /** As the engine spells it, without its own markers. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** 0 (a guess) to 1 (sure). */
  readonly confidence: number;
}

export type SpeechAudio =
  /** 16 kHz mono samples. */
  | { readonly kind: 'pcm'; readonly samples: Int16Array }
  /** A 16 kHz mono 16-bit PCM RIFF file. */
  | { readonly kind: 'wav'; readonly path: string };

export interface TranscribeRequest {
  readonly audio: SpeechAudio;
  /** BCP-47; regional forms (`en-GB`) match their language (`en`). `auto`, where the engine can. */
  readonly language: string;
  /** Speech segments in seconds, in order; if absent, all of the audio may be speech. */
  readonly segments?: readonly SpeechSegment[];
  /** Called with the fraction done, rising from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  /** Stops the engine at once; the call then fails with `aborted`. */
  readonly signal?: AbortSignal;
}

export interface TranscribeResult {
  /** In chronological order, not overlapping. Empty without speech. */
  readonly words: readonly RecognizedWord[];
  /** BCP-47: the requested language, or the detected one for `auto`. */
  readonly language: string;
  /** Which engine and model, as stored with the task (`pocketsphinx/en-us`). */
  readonly engine: string;
  /** Whether the engine writes capitals and punctuation itself. */
  readonly punctuated: boolean;
}

/** Whether an engine can work on this machine now. */
export type SpeechReadiness =
  | { readonly status: 'ready' }
  | {
      readonly status: 'missing';
      readonly code: 'engine-missing' | 'model-missing';
      /** Debian packages (or downloads) that would bring it. */
      readonly needs: readonly string[];
    };

/**
 * Closed set of reasons why a transcription failed.
 *
 * | code | cause | what the worker does |
 * |---|---|---|
 * | engine-missing | the engine's program is not on this machine | fails the task; the operator installs it |
 * | model-missing | program there, its model is not | as above |
 * | model-corrupt | the model is not what was installed, or cannot be loaded | fails the task; the operator installs it again |
 * | service-unavailable | the endpoint did not answer, or asks to wait | retries later |
 * | quota-exhausted | the endpoint refuses until its operator pays or waits | fails the task |
 * | access-refused | the endpoint does not accept the key, or knows no such model | fails the task |
 * | language-unsupported | no words of that language in this engine | refused before anything is charged |
 * | audio-unreadable | not a 16 kHz mono 16-bit WAV, or unreadable | fails the task |
 * | engine-crashed | the child ended by a signal or with an error, or ran out of memory | retries |
 * | timeout | slower than its time limit | retries |
 * | output-unreadable | the engine answered something we do not understand | fails the task |
 * | scratch-failed | its temporary folder could not be written (disk full) | retries later |
 * | aborted | the caller's signal | nothing: the caller knows |
 */
export type SpeechFailureCode =
  | 'engine-missing'
  | 'model-missing'
  | 'model-corrupt'
  | 'service-unavailable'
  | 'quota-exhausted'
  | 'access-refused'
  | 'language-unsupported'
  | 'audio-unreadable'
  | 'engine-crashed'
  | 'timeout'
  | 'output-unreadable'
  | 'scratch-failed'
  | 'aborted';

const RETRYABLE: ReadonlySet<SpeechFailureCode> = new Set([
  'engine-crashed',
  'timeout',
  'service-unavailable',
  'scratch-failed',
]);

/** The only error a recognizer throws. `detail` is for logs and never holds what was said. */
export class SpeechFailure extends Error {
  override readonly name = 'SpeechFailure';
  readonly code: SpeechFailureCode;
  readonly detail: string;

  constructor(code: SpeechFailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.detail = detail;
  }

  /** Whether the same request may succeed later without intervention. */
  get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}

export interface SpeechRecognizer {
  /** Stable name, the value of `ASR` that selects it. */
  readonly id: string;
  /** Languages it recognizes as installed and configured on this machine; none when it is not ready. */
  languages(): Promise<readonly SpeechLanguage[]>;
  /** Checks for program and model. Cheap; called at startup and before a task is accepted. */
  readiness(): Promise<SpeechReadiness>;
  /**
   * Recognizes audio of any length in bounded memory.
   * @throws {SpeechFailure}
   */
  transcribe(request: TranscribeRequest): Promise<TranscribeResult>;
}

/** The engine's entry for a BCP-47 tag (`en-GB` finds `en`), or undefined when it knows no such language. */
export function findLanguage(
  languages: readonly SpeechLanguage[],
  tag: string,
): SpeechLanguage | undefined {
  const wanted = tag.toLowerCase();
  return (
    languages.find((language) => language.tag.toLowerCase() === wanted) ??
    languages.find((language) => wanted.startsWith(`${language.tag.toLowerCase()}-`))
  );
}
