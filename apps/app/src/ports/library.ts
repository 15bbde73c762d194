import type { CallData, SummaryTemplate } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Bcp47 } from '@linnet/contract/languages';
import type { Edit } from '@linnet/contract/operations';
import type { StructureId } from '@linnet/contract/structures';
import type {
  AudioVersion,
  Movement,
  RecordDetail,
  RecordSummary,
  RejectedEdit,
} from '@linnet/sync';
import type { Live, Outcome } from './store.ts';

/** The operation in progress on a recording, if any. It isn't stored in the database. */
export type WithMovement = { readonly movement?: Movement };

/** Options for a summary. By default, the structure stays the same and the language is the recording's. */
export type SummaryRequest = {
  readonly structure?: StructureId;
  readonly template?: SummaryTemplate;
  /** BCP 47. */
  readonly language?: Bcp47;
};

/** The IDs of the first and the last paragraph to transcribe again, and the language. */
export type RangeRequest = {
  readonly from: string;
  readonly to: string;
  readonly language: string;
};

export type LibraryService = {
  /** All of the account's recordings that aren't in the recycle bin, including archived ones, newest first. */
  readonly records: Live<readonly (RecordSummary & WithMovement)[]>;
  /** The recordings in the recycle bin, most recently deleted first. */
  readonly bin: Live<readonly RecordSummary[]>;
  record(id: string): Live<(RecordDetail & WithMovement) | null>;
  markRead(id: string): Promise<void>;
  /**
   * Applies an edit on this phone and queues it for the server, which forwards it to other phones. Editing a deleted
   * recording has no effect.
   * @returns whether the recording is on this phone, and so was edited
   * @throws EditExceeds
   */
  edit(edit: Edit): Promise<boolean>;
  /** Returns the names of speakers in all recordings, most recent first. */
  speakerNames(): Promise<readonly string[]>;
  rename(id: string, title: string): Promise<void>;
  /** Sets the language spoken in a recording, or null for the account's language. Later transcriptions use it. */
  setLanguage(id: string, language: string | null): Promise<void>;
  /** Applies several edits atomically. Each must target a different recording or paragraph. */
  editAll(edits: readonly Edit[]): Promise<void>;
  /** Hides recordings from the list, or returns them to it. */
  archive(ids: readonly string[], isOn: boolean): Promise<void>;
  /** Protects recordings from retention rules, or removes the protection. */
  protect(ids: readonly string[], isOn: boolean): Promise<void>;
  /** Moves recordings to the recycle bin. `restore` reverses this. */
  moveToBin(ids: readonly string[]): Promise<void>;
  restore(ids: readonly string[]): Promise<void>;
  /**
   * Permanently deletes recordings in the bin, including transcript and audio, from all phones and the server, but not
   * from the recorder.
   */
  deletePermanently(ids: readonly string[]): Promise<void>;
  /** Edits that the server rejected and the user hasn't dismissed yet. */
  readonly rejectedEdits: Live<readonly RejectedEdit[]>;
  /** @param opIds the edits' operation IDs */
  dismissRejectedEdits(opIds: readonly string[]): Promise<void>;
  /** Pulls the server's changes immediately. */
  refresh(): Promise<Outcome<null, CallFailure>>;
  /** Retries the failed operation named in the record's `problem`. */
  retry(id: string): Promise<void>;
  /** Requests a transcript in a language (BCP 47 or `auto`), replacing any existing one. */
  transcribe(id: string, language: string, version?: AudioVersion): Promise<void>;
  /**
   * Transcribes a range of paragraphs again, in a language (BCP 47 or `auto`). All other paragraphs stay unchanged.
   * Resolves once the server has queued the transcription.
   */
  transcribeRange(id: string, request: RangeRequest): Promise<Outcome<null, CallFailure>>;
  /** Cancels a transcription request that hasn't been sent to the server yet. */
  cancelRequest(id: string): Promise<void>;
  /** Cancels a transcription on the server, which returns the reserved minutes to the balance. */
  cancelTranscription(id: string): Promise<Outcome<null, CallFailure>>;
  /** Downloads a recording's audio from the cloud with priority, and keeps it on this phone. */
  download(id: string): Promise<void>;
  /** Stops a download. */
  cancelDownload(id: string): Promise<void>;
  /** Regenerates the summary from the current transcript. Resolves once the server has generated it. */
  summarize(id: string, request: SummaryRequest): Promise<Outcome<null, CallFailure>>;
  /** Fetches all versions of a paragraph from the server, starting with the transcribed text. */
  versions(id: string, paragraph: string): Promise<Outcome<readonly TextVersion[], CallFailure>>;
  /** Returns a recording's playable audio, or null if it has none or the server is unreachable. */
  audio(id: string, version?: AudioVersion): Promise<PlayableAudio | null>;
};

/** A version of a paragraph's text. */
export type TextVersion = CallData<'task/paragraph-history'>['list'][number];

/** Audio that an `<audio>` element can play and seek in. */
export type PlayableAudio = {
  readonly url: string;
  /** `cloud`: the audio is streamed, so it can be played only while the server is reachable. */
  readonly from: 'phone' | 'cloud';
  /** The loudness over time; null if the audio isn't on this phone. */
  readonly levels: Levels | null;
  /** Frees the URL and marks the file as no longer in use. Call it when playback has ended. */
  release(): void;
};

/** Audio loudness over time, as peak amplitudes between 0 and 1. */
export type Levels = {
  /** Duration of one level in seconds. */
  readonly step: number;
  /** Reads a section's levels. The section is in seconds; the result is shorter if it extends beyond the audio. */
  read(from: number, to: number): Promise<Float32Array>;
};
