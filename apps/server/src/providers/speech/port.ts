/**
 * Speech recognition, as used by the worker. A recognizer receives 16 kHz mono audio and returns words with times and
 * confidences. Every engine is an adapter in its own folder and passes the tests in `contract-suite.ts`.
 */
import type { SpeechSegment } from '../voice/port.ts';

/** Sample rate that every recognizer expects, in hertz. The recorder's Opus stream decodes to this rate. */
export const SPEECH_SAMPLE_RATE = 16_000;

/** An engine's quality in a language, as shown in the interface. */
export type SpeechQuality = 'draft' | 'good';

export interface SpeechLanguage {
  /** BCP 47 tag as stored with a task (`en`, `zh-Hans`), or `auto` if the engine detects the language. */
  readonly tag: string;
  readonly quality: SpeechQuality;
}

/** A recognized word. Times are in seconds from the start of the audio, with millisecond precision. */
export interface RecognizedWord {
  /** The word as spelled by the engine, without its markers. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Confidence, from 0 (a guess) to 1 (certain). */
  readonly confidence: number;
}

export type SpeechAudio =
  /** Samples at 16 kHz, mono. */
  | { readonly kind: 'pcm'; readonly samples: Int16Array }
  /** A 16 kHz mono 16-bit PCM RIFF file. */
  | { readonly kind: 'wav'; readonly path: string };

export interface TranscribeRequest {
  readonly audio: SpeechAudio;
  /** BCP 47 tag, or `auto` if the engine supports it. A regional form (`en-GB`) matches its language (`en`). */
  readonly language: string;
  /** Names and terms that may occur, most important first. Engines without support for hints ignore them. */
  readonly vocabulary?: readonly string[];
  /** Speech segments in seconds, in order. By default, all of the audio may be speech. */
  readonly segments?: readonly SpeechSegment[];
  /** Called with the completed fraction, rising from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  /** Stops the engine immediately, which makes the call fail with `aborted`. */
  readonly signal?: AbortSignal;
}

export interface TranscribeResult {
  /** Recognized words in chronological order, without overlaps. Empty if there is no speech. */
  readonly words: readonly RecognizedWord[];
  /** BCP 47 tag of the requested language, or of the detected language for `auto`. */
  readonly language: string;
  /** Engine and model, as stored with the task (`pocketsphinx/en-us`). */
  readonly engine: string;
  /** Whether the engine itself writes capitals and punctuation. */
  readonly punctuated: boolean;
}

/** An engine that has loaded its model for one language, and recognizes slices sequentially. */
export interface LoadedRecognizer {
  /**
   * Recognizes one slice of at most about 20 seconds. Times are relative to the start of the slice. Calls must not
   * overlap.
   * @param samples 16 kHz, mono
   * @throws SpeechFailure after which the recognizer can no longer be used
   */
  recognize(samples: Int16Array, signal: AbortSignal): Promise<TranscribeResult>;
  /** Stops the process, which frees the model. */
  close(): Promise<void>;
}

/** Whether an engine currently works on this machine. */
export type SpeechReadiness =
  | { readonly status: 'ready' }
  | {
      readonly status: 'missing';
      readonly code: 'engine-missing' | 'model-missing';
      /** Debian packages or models to install. */
      readonly needs: readonly string[];
    };

/**
 * Why a transcription failed.
 *
 * | code | cause | worker's action |
 * |---|---|---|
 * | engine-missing | the engine's program is not installed | fails the task; the operator must install it |
 * | model-missing | the engine's model is not installed | fails the task; the operator must install it |
 * | model-corrupt | the model has changed since its installation, or cannot be loaded | fails the task; the operator must reinstall it |
 * | service-unavailable | the service did not respond, or requested a delay | retries later |
 * | quota-exhausted | the service's quota or credit is used up | fails the task |
 * | access-refused | the service rejected the key, or does not have the model | fails the task |
 * | language-unsupported | the engine does not support the language | rejects the task before charging it |
 * | audio-unreadable | not a 16 kHz mono 16-bit WAV file, or unreadable | fails the task |
 * | engine-crashed | the process exited with an error or a signal, or exceeded its memory limit | retries |
 * | timeout | the time limit was exceeded | retries |
 * | output-unreadable | the engine's output could not be parsed | fails the task |
 * | scratch-failed | the temporary folder could not be written (disk full) | retries later |
 * | aborted | the caller aborted | none |
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

/** The only error that a recognizer throws. `detail` is for logs and never contains transcript text. */
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
  /** Stable name: the value of `ASR` that selects the recognizer. */
  readonly id: string;
  /** Lists the languages that the current installation and configuration support. Empty if the engine isn't ready. */
  languages(): Promise<readonly SpeechLanguage[]>;
  /** Checks for the program and the model. Must be cheap, because it runs at startup and before accepting each task. */
  readiness(): Promise<SpeechReadiness>;
  /**
   * Recognizes audio of any length in bounded memory.
   * @throws SpeechFailure
   */
  transcribe(request: TranscribeRequest): Promise<TranscribeResult>;
  /**
   * Starts a process that keeps the model loaded between slices. Undefined if the engine loads no model, such as a
   * service.
   * @param vocabulary as in `TranscribeRequest`
   * @throws SpeechFailure
   */
  load?(language: string, vocabulary?: readonly string[]): Promise<LoadedRecognizer>;
}

/** Finds the engine's entry for a BCP 47 tag (`en-GB` finds `en`). */
export function findLanguage(
  languages: readonly SpeechLanguage[],
  tag: string,
): SpeechLanguage | undefined {
  const requested = tag.toLowerCase();
  return (
    languages.find((language) => language.tag.toLowerCase() === requested) ??
    languages.find((language) => requested.startsWith(`${language.tag.toLowerCase()}-`))
  );
}
