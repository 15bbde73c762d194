import type { CallFailure } from '@linnet/contract/client';
import type { AudioStoreErrorCode, SoundVersion } from '@linnet/sync';
import type { ExportPart } from '../export-parts.ts';
import type { Outcome } from './store.ts';

export type TextFormat = 'txt' | 'md' | 'docx' | 'pdf' | 'srt' | 'vtt' | 'json';
export type SoundFormat = 'wav' | 'ogg' | 'mp3';
/** What is taken along, and how. */
export type ExportChoice = {
  readonly what: 'text' | 'sound' | 'both';
  readonly text: TextFormat;
  readonly sound: SoundFormat;
  /** Where there is no cleaner version, the original is taken. */
  readonly version: SoundVersion;
  readonly parts: readonly ExportPart[];
  readonly speakers: boolean;
  readonly times: boolean;
  /** Of the transcript, marked paragraphs only. */
  readonly marked: boolean;
  /** In a zip, a folder for each recording. */
  readonly folders: boolean;
};

/** What there is to be chosen from. */
export type ExportOffer = {
  /** Those that there is anything in. */
  readonly parts: readonly ExportPart[];
  /** Whether any paragraph is marked, and whether any says who speaks. */
  readonly marked: boolean;
  readonly speakers: boolean;
  /** Whether there is a cleaner version of the sound. */
  readonly cleaner: boolean;
};

/** How far it is: which recording of how many, and how much of all, 0–1. `fetching`: from the cloud. */
export type ExportProgress = {
  readonly step: 'writing' | 'fetching' | 'sound';
  readonly number: number;
  readonly of: number;
  readonly fraction: number;
};

/**
 * Why nothing could be taken along; `title` names the recording it is about.
 *
 * - `not_loaded`: the part of the app that makes files did not come; it is about no recording.
 * - `gone`: it was deleted meanwhile.
 * - `no_sound`: its sound is neither on this phone nor in the cloud.
 * - `offline`: its sound is in the cloud, which cannot be reached.
 * - `refused`: the server does not give it, for the reason in `failure`.
 * - otherwise what the phone said while it wrote the file.
 */
export type ExportFailure = {
  /** What the recording is called; '' where nobody knows. */
  readonly title: string;
  readonly code: 'not_loaded' | 'gone' | 'no_sound' | 'offline' | 'refused' | AudioStoreErrorCode;
  readonly failure?: CallFailure;
};

/** What became of a file that was to be shared: `needs_tap` where the browser wants a tap of its own. */
export type Shared = 'shared' | 'cancelled' | 'needs_tap' | 'unable';

/** A file that was made; `missing` says whose sound it has to do without, and why. */
export type ExportedFile = { readonly file: File; readonly missing: readonly ExportFailure[] };

export type ExportService = {
  /** What there is to be chosen from in a recording; null when it is gone. */
  offer(id: string): Promise<ExportOffer | null>;
  /** How the text of a recording begins; null where a format is none to read, or it is gone. */
  preview(id: string, choice: ExportChoice): Promise<string | null>;
  /**
   * One file with everything that was chosen: a zip where it takes several, without the sound that cannot be
   * had as long as there is anything else. Aborting rejects. The file may be read from the recordings' own, which
   * are in use until `signal` aborts: to be done once it was saved.
   */
  make(
    ids: readonly string[],
    choice: ExportChoice,
    onProgress: (progress: ExportProgress) => void,
    signal: AbortSignal,
  ): Promise<Outcome<ExportedFile, ExportFailure>>;
  /** Hands the text to the browser's print engine, which also makes PDF files of it. */
  print(ids: readonly string[], choice: ExportChoice): Promise<Outcome<null, ExportFailure>>;
  /** @returns false when its owner chose no place for it */
  save(file: File): Promise<boolean>;
  /** Whether there is a share sheet that takes files. */
  readonly shares: boolean;
  share(file: File): Promise<Shared>;
};
