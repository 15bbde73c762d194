import type { CallFailure } from '@linnet/contract/client';
import type { AudioStoreErrorCode, AudioVersion } from '@linnet/sync';
import type { ExportPart } from '../export-parts.ts';
import type { Outcome } from './store.ts';

export type TextFormat = 'txt' | 'md' | 'docx' | 'pdf' | 'srt' | 'vtt' | 'json';
export type ExportAudioFormat = 'wav' | 'ogg' | 'mp3';
/** The content and format of an export, as chosen by the user. */
export type ExportChoice = {
  readonly what: 'text' | 'sound' | 'both';
  readonly text: TextFormat;
  readonly sound: ExportAudioFormat;
  /** The audio version. Recordings without a denoised version are exported with the original. */
  readonly version: AudioVersion;
  readonly parts: readonly ExportPart[];
  readonly speakers: boolean;
  readonly times: boolean;
  /** Whether the transcript is limited to highlighted paragraphs. */
  readonly marked: boolean;
  /** Whether a zip archive has a folder for each recording. */
  readonly folders: boolean;
};

/** The options available for exporting a recording. */
export type ExportOffer = {
  /** The parts that have content. */
  readonly parts: readonly ExportPart[];
  /** Whether any paragraph is highlighted. */
  readonly marked: boolean;
  /** Whether any paragraph has a speaker. */
  readonly speakers: boolean;
  /** Whether the audio has a denoised version. */
  readonly denoised: boolean;
};

/** An export's progress. */
export type ExportProgress = {
  /** `fetching`: downloading audio from the cloud. `sound`: converting audio. */
  readonly step: 'writing' | 'fetching' | 'sound';
  /** The current recording's number, counted from 1. */
  readonly number: number;
  /** The total number of recordings. */
  readonly of: number;
  /** The overall progress, 0 to 1. */
  readonly fraction: number;
};

/**
 * Why an export failed.
 *
 * - `not_loaded`: the export code couldn't be loaded
 * - `gone`: the recording was deleted before or during its export
 * - `no_sound`: the audio is neither on this phone nor in the cloud
 * - `offline`: the audio is in the cloud, which is unreachable
 * - `refused`: the server rejected the request for the audio, for the reason in `failure`
 * - `transcript_arriving`: this phone hasn't received the transcript yet
 * - any other code: an error on the phone while converting the audio or writing the file
 */
export type ExportFailure = {
  /** The recording's name; '' if it is unknown or the failure doesn't concern a recording. */
  readonly title: string;
  readonly code:
    | 'not_loaded'
    | 'gone'
    | 'no_sound'
    | 'offline'
    | 'refused'
    | 'transcript_arriving'
    | AudioStoreErrorCode;
  readonly failure?: CallFailure;
};

/** The outcome of sharing a file. `needs_tap`: the browser requires another tap first. */
export type ShareResult = 'shared' | 'canceled' | 'needs_tap' | 'unable';

/** The exported file. `missing` lists the audio and transcripts that couldn't be included, and why. */
export type ExportedFile = { readonly file: File; readonly missing: readonly ExportFailure[] };

export type ExportService = {
  /** Returns the options for a recording, or null if it no longer exists. */
  offer(id: string): Promise<ExportOffer | null>;
  /**
   * Returns the beginning of a recording's text. Null if the format can't be shown as text or the recording no longer
   * exists.
   */
  preview(id: string, choice: ExportChoice): Promise<string | null>;
  /**
   * Creates a single file, or a zip archive of several. Unavailable audio, and texts whose transcripts haven't arrived,
   * are left out of an archive unless that would leave it empty. Rejects when `signal` aborts. The result may refer to the recordings' files, which therefore stay
   * in use until `signal` aborts; abort it once the result has been saved.
   */
  make(
    ids: readonly string[],
    choice: ExportChoice,
    onProgress: (progress: ExportProgress) => void,
    signal: AbortSignal,
  ): Promise<Outcome<ExportedFile, ExportFailure>>;
  /** Opens the browser's print dialog for the text, where the user can also save a PDF. */
  print(ids: readonly string[], choice: ExportChoice): Promise<Outcome<null, ExportFailure>>;
  /**
   * Saves a file.
   * @returns false if the user didn't choose a location
   */
  save(file: File): Promise<boolean>;
  /** Whether the platform can share files. */
  readonly canShare: boolean;
  share(file: File): Promise<ShareResult>;
};
