/**
 * Speaker diarization, as used by the worker. A diarizer receives 16 kHz mono audio and returns speaker turns. Speakers
 * are distinguished, not identified. Their voice embeddings can be compared across recordings.
 */

/** A segment spoken by one person. Times are in seconds. Turns may overlap. */
export interface SpeakerTurn {
  readonly start: number;
  readonly end: number;
  /** Index of the speaker, starting from 0 in order of first appearance. */
  readonly speaker: number;
}

export interface DiarizeRequest {
  /** A 16 kHz mono 16-bit PCM RIFF file. */
  readonly path: string;
  readonly signal?: AbortSignal;
  /** Called with the completed fraction, rising from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

export interface EmbedRequest {
  /** A 16 kHz mono 16-bit PCM RIFF file. */
  readonly path: string;
  /** The file's speaker turns. */
  readonly turns: readonly SpeakerTurn[];
  readonly signal?: AbortSignal;
}

/** Embeddings of the speakers, as unit vectors. Speakers who say too little have none. */
export interface SpeakerEmbeddings {
  /** The model's name and hash. Embeddings from different models can't be compared. */
  readonly model: string;
  readonly embeddings: readonly { readonly speaker: number; readonly embedding: Float32Array }[];
}

/** Why diarization failed. In all cases except `aborted`, the transcript is created without speakers. */
export type SpeakerFailureCode =
  | 'engine-missing'
  | 'model-missing'
  | 'model-corrupt'
  | 'engine-crashed'
  | 'timeout'
  | 'audio-unreadable'
  /** Diarization would need more memory than is available. */
  | 'audio-too-long'
  | 'aborted';

/** The only error that a diarizer throws. */
export class SpeakerFailure extends Error {
  override readonly name = 'SpeakerFailure';
  readonly code: SpeakerFailureCode;

  constructor(code: SpeakerFailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export interface SpeakerDiarizer {
  readonly id: string;
  /** Returns whether the diarizer's program and models are installed. The check is cheap. */
  isReady(): Promise<boolean>;
  /** @throws SpeakerFailure */
  diarize(request: DiarizeRequest): Promise<readonly SpeakerTurn[]>;
  /** Computes embeddings of the speakers' voices. @throws SpeakerFailure */
  embed(request: EmbedRequest): Promise<SpeakerEmbeddings>;
}
