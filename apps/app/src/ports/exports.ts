import type { CallFailure } from '@linnet/contract/client';
import type { AudioStoreErrorCode, AudioVersion } from '@linnet/sync';
import type { ExportPart } from '../export-parts.ts';
import type { Outcome } from './store.ts';

export type TextFormat = 'txt' | 'md' | 'docx' | 'pdf' | 'srt' | 'vtt' | 'json';
export type SoundFormat = 'wav' | 'ogg' | 'mp3';
/** The content and format of an export. */
export type ExportChoice = {
  readonly what: 'text' | 'sound' | 'both';
  readonly text: TextFormat;
  readonly sound: SoundFormat;
  /** If there is no denoised version, the original is used. */
  readonly version: AudioVersion;
  readonly parts: readonly ExportPart[];
  readonly speakers: boolean;
  readonly times: boolean;
  /** Limits the transcript to marked paragraphs. */
  readonly marked: boolean;
  /** In a zip, one folder per recording. */
  readonly folders: boolean;
};

/** Export options available for a recording. */
export type ExportOffer = {
  /** The parts that have content. */
  readonly parts: readonly ExportPart[];
  /** Whether any paragraph is marked, and whether any has a speaker. */
  readonly marked: boolean;
  readonly speakers: boolean;
  /** Whether there is a denoised version of the audio. */
  readonly denoised: boolean;
};

/**
 * Progress of an export. `number` is the current recording, `of` their total, and `fraction` the overall
 * progress from 0 to 1. `fetching`: audio is being downloaded from the cloud.
 */
export type ExportProgress = {
  readonly step: 'writing' | 'fetching' | 'sound';
  readonly number: number;
  readonly of: number;
  readonly fraction: number;
};

/**
 * The reason of a failed export.
 *
 * - `not_loaded`: the app's code for exports failed to load; no recording is concerned.
 * - `gone`: the recording was deleted before its export.
 * - `no_sound`: the audio is neither on this phone nor in the cloud.
 * - `offline`: the audio is in the cloud, which is unreachable.
 * - `refused`: the server refused the audio; the reason is in `failure`.
 * - otherwise: the phone's error while writing the file.
 */
export type ExportFailure = {
  /** Name of the recording; '' if unknown. */
  readonly title: string;
  readonly code: 'not_loaded' | 'gone' | 'no_sound' | 'offline' | 'refused' | AudioStoreErrorCode;
  readonly failure?: CallFailure;
};

/** Result of sharing a file. `needs_tap`: the browser requires another tap. */
export type Shared = 'shared' | 'cancelled' | 'needs_tap' | 'unable';

/** The exported file. `missing` lists recordings without their audio, with the reasons. */
export type ExportedFile = { readonly file: File; readonly missing: readonly ExportFailure[] };

export type ExportService = {
  /** The options for a recording; null if it no longer exists. */
  offer(id: string): Promise<ExportOffer | null>;
  /**
   * The beginning of a recording's text; null for formats that are not human-readable, or if the recording no
   * longer exists.
   */
  preview(id: string, choice: ExportChoice): Promise<string | null>;
  /**
   * Creates the export: one file, or a zip of several. Omits unavailable audio unless nothing else remains.
   * Rejects when aborted. The result may read from the recordings' own files, which stay in use until `signal`
   * aborts; abort it after saving.
   */
  make(
    ids: readonly string[],
    choice: ExportChoice,
    onProgress: (progress: ExportProgress) => void,
    signal: AbortSignal,
  ): Promise<Outcome<ExportedFile, ExportFailure>>;
  /** Opens the browser's print dialog for the text; it can also save a PDF. */
  print(ids: readonly string[], choice: ExportChoice): Promise<Outcome<null, ExportFailure>>;
  /** @returns false if the user chose no location */
  save(file: File): Promise<boolean>;
  /** Whether files can be shared. */
  readonly shares: boolean;
  share(file: File): Promise<Shared>;
};
