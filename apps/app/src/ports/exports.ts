import type { CallFailure } from '@linnet/contract/client';
import type { AudioStoreErrorCode, AudioVersion } from '@linnet/sync';
import type { ExportPart } from '../export-parts.ts';
import type { Outcome } from './store.ts';

export type TextFormat = 'txt' | 'md' | 'docx' | 'pdf' | 'srt' | 'vtt' | 'json';
export type SoundFormat = 'wav' | 'ogg' | 'mp3';
/** The content and format of an export, as chosen by the user. */
export type ExportChoice = {
  readonly what: 'text' | 'sound' | 'both';
  readonly text: TextFormat;
  readonly sound: SoundFormat;
  /** The version of the audio. Recordings without a denoised version are exported with the original. */
  readonly version: AudioVersion;
  readonly parts: readonly ExportPart[];
  readonly speakers: boolean;
  readonly times: boolean;
  /** Whether the transcript is limited to marked paragraphs. */
  readonly marked: boolean;
  /** Whether a zip has a folder for each recording. */
  readonly folders: boolean;
};

/** The options that are available for the export of a recording. */
export type ExportOffer = {
  /** The parts that have content. */
  readonly parts: readonly ExportPart[];
  /** Whether any paragraph is marked. */
  readonly marked: boolean;
  /** Whether any paragraph has a speaker. */
  readonly speakers: boolean;
  /** Whether there is a denoised version of the audio. */
  readonly denoised: boolean;
};

/** The progress of an export. */
export type ExportProgress = {
  /** `fetching`: audio is being downloaded from the cloud. `sound`: audio is being converted. */
  readonly step: 'writing' | 'fetching' | 'sound';
  /** The number of the current recording, counted from 1. */
  readonly number: number;
  /** The total number of recordings. */
  readonly of: number;
  /** The overall progress, 0 to 1. */
  readonly fraction: number;
};

/**
 * The reason why an export failed.
 *
 * - `not_loaded`: The code for exports could not be loaded.
 * - `gone`: The recording was deleted before or during its export.
 * - `no_sound`: The audio is neither on this phone nor in the cloud.
 * - `offline`: The audio is in the cloud, which is unreachable.
 * - `refused`: The server refused to deliver the audio, for the reason in `failure`.
 * - Any other code is an error on the phone during the conversion of the audio or the writing of the file.
 */
export type ExportFailure = {
  /** The name of the recording; '' if it is unknown or the failure concerns no recording. */
  readonly title: string;
  readonly code: 'not_loaded' | 'gone' | 'no_sound' | 'offline' | 'refused' | AudioStoreErrorCode;
  readonly failure?: CallFailure;
};

/** The result of sharing a file. `needs_tap`: the browser requires another tap first. */
export type Shared = 'shared' | 'cancelled' | 'needs_tap' | 'unable';

/** The exported file. `missing` lists the recordings whose audio could not be included, with the reasons. */
export type ExportedFile = { readonly file: File; readonly missing: readonly ExportFailure[] };

export type ExportService = {
  /** Returns the options for a recording; null if it no longer exists. */
  offer(id: string): Promise<ExportOffer | null>;
  /**
   * Returns the beginning of a recording's text. Returns null for formats that cannot be shown as text, or if the
   * recording no longer exists.
   */
  preview(id: string, choice: ExportChoice): Promise<string | null>;
  /**
   * Creates a single file, or a zip of several files. Unavailable audio is omitted from a zip, unless the zip would be
   * empty. Rejects when `signal` aborts. The result may refer to the files of the recordings, which therefore stay in
   * use until `signal` aborts. Abort it after the result has been saved.
   */
  make(
    ids: readonly string[],
    choice: ExportChoice,
    onProgress: (progress: ExportProgress) => void,
    signal: AbortSignal,
  ): Promise<Outcome<ExportedFile, ExportFailure>>;
  /** Opens the browser's print dialog for the text. The user can also save a PDF there. */
  print(ids: readonly string[], choice: ExportChoice): Promise<Outcome<null, ExportFailure>>;
  /** Saves a file. @returns false if the user chose no location */
  save(file: File): Promise<boolean>;
  /** Whether the platform can share files. */
  readonly shares: boolean;
  share(file: File): Promise<Shared>;
};
