/**
 * Finding where somebody speaks, as the worker sees it: 16 kHz mono audio in,
 * stretches of speech out. Silence and music are none.
 */

/** Seconds from the start of the audio. */
export interface SpeechStretch {
  readonly start: number;
  readonly end: number;
}

export interface DetectRequest {
  /** A 16 kHz mono 16-bit PCM RIFF file. */
  readonly path: string;
  readonly signal?: AbortSignal;
  /** Called with the fraction done, rising from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/** Closed set of reasons why speech was not looked for. */
export type VoiceFailureCode =
  | 'engine-missing'
  | 'model-corrupt'
  | 'engine-crashed'
  | 'timeout'
  | 'audio-unreadable'
  | 'aborted';

/** The only error a detector throws. */
export class VoiceFailure extends Error {
  override readonly name = 'VoiceFailure';
  readonly code: VoiceFailureCode;

  constructor(code: VoiceFailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export interface VoiceDetector {
  readonly id: string;
  /**
   * In order of time, not overlapping, a little wider than what is said; however long the audio, in
   * bounded memory.
   * @throws {VoiceFailure}
   */
  detect(request: DetectRequest): Promise<readonly SpeechStretch[]>;
}
