/**
 * Telling speakers apart as the worker sees it: 16 kHz mono audio in, turns out.
 * Who they are is not known, only that they differ.
 */

/** A stretch in which one person speaks. Times are seconds; turns may overlap. */
export interface SpeakerTurn {
  readonly start: number;
  readonly end: number;
  /** From 0, in the order in which they are first heard. */
  readonly speaker: number;
}

export interface DiariseRequest {
  /** A 16 kHz mono 16-bit PCM RIFF file. */
  readonly path: string;
  readonly signal?: AbortSignal;
  /** Called with the fraction done, rising from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Closed set of reasons why speakers were not told apart. The transcript is made without them, but for
 * `aborted`, which the caller knows of.
 */
export type SpeakerFailureCode =
  | 'engine-missing'
  | 'model-missing'
  | 'model-corrupt'
  | 'engine-crashed'
  | 'timeout'
  | 'audio-unreadable'
  /** It would take more memory than this machine can spare. */
  | 'audio-too-long'
  | 'aborted';

/** The only error a diariser throws. */
export class SpeakerFailure extends Error {
  override readonly name = 'SpeakerFailure';
  readonly code: SpeakerFailureCode;

  constructor(code: SpeakerFailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export interface SpeakerDiariser {
  readonly id: string;
  /** Whether its program and models are here; cheap. */
  isReady(): Promise<boolean>;
  /** @throws {SpeakerFailure} */
  diarise(request: DiariseRequest): Promise<readonly SpeakerTurn[]>;
}
