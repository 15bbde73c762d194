/**
 * Voice activity detection, as used by the worker. A detector receives 16 kHz mono audio and returns speech segments.
 * Silence and music aren't speech.
 */

/** A span of speech, in seconds from the start of the audio. */
export interface SpeechSegment {
  readonly start: number;
  readonly end: number;
}

export interface DetectRequest {
  /** A 16 kHz mono 16-bit PCM RIFF file. */
  readonly path: string;
  readonly signal?: AbortSignal;
  /** Called with the completed fraction, rising from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/** Why detection failed. */
export type VoiceFailureCode =
  | 'engine-missing'
  | 'model-corrupt'
  | 'engine-crashed'
  | 'timeout'
  | 'audio-unreadable'
  | 'aborted';

/** The only error that a detector throws. */
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
   * Returns non-overlapping speech segments in chronological order, slightly wider than the speech itself.
   * Handles audio of any length in bounded memory.
   * @throws VoiceFailure
   */
  detect(request: DetectRequest): Promise<readonly SpeechSegment[]>;
}
