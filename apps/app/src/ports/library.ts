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
  RefusedEdit,
} from '@linnet/sync';
import type { Live, Outcome } from './store.ts';

/** The running operation on a recording, which is not stored in the database; absent if there is none. */
export type Moving = { readonly movement?: Movement };

/** The options of a summary. By default, the structure stays the same and the language is that of the recording. */
export type SummaryRequest = {
  readonly structure?: StructureId;
  readonly template?: SummaryTemplate;
  /** BCP-47. */
  readonly language?: Bcp47;
};

export type LibraryService = {
  /** All recordings of the account that are not in the recycle bin, newest first. */
  readonly records: Live<readonly (RecordSummary & Moving)[]>;
  /** The recordings in the recycle bin, last deleted first. */
  readonly bin: Live<readonly RecordSummary[]>;
  record(id: string): Live<(RecordDetail & Moving) | null>;
  markRead(id: string): Promise<void>;
  /**
   * Applies an edit on this phone and queues it for the server, which forwards it to other phones. An edit of a
   * deleted recording has no effect.
   */
  edit(edit: Edit): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** Applies several edits atomically. Each must target a different recording or paragraph. */
  editAll(edits: readonly Edit[]): Promise<void>;
  /** Moves recordings to the recycle bin. `restore` reverses this. */
  moveToBin(ids: readonly string[]): Promise<void>;
  restore(ids: readonly string[]): Promise<void>;
  /**
   * Permanently deletes recordings in the bin, with transcript and audio, from all phones and the server, but not
   * from the recorder.
   */
  deletePermanently(ids: readonly string[]): Promise<void>;
  /** The edits that the server refused and the user has not dismissed yet. */
  readonly refused: Live<readonly RefusedEdit[]>;
  /** @param opIds the operation ids of the edits */
  dismissRefused(opIds: readonly string[]): Promise<void>;
  /** Pulls changes from the server immediately. */
  refresh(): Promise<Outcome<null, CallFailure>>;
  /** Retries the failed operation that the record's `trouble` names. */
  retry(id: string): Promise<void>;
  /** Requests a transcript in a language (BCP-47 or `auto`). It replaces an existing transcript. */
  transcribe(id: string, language: string, version?: AudioVersion): Promise<void>;
  /** Cancels a request for a transcript that has not been sent to the server yet. */
  cancelRequest(id: string): Promise<void>;
  /** Cancels a transcription on the server, which returns the reserved minutes to the balance. */
  cancelTranscription(id: string): Promise<Outcome<null, CallFailure>>;
  /** Downloads a recording's audio from the cloud with priority, and retains it on this phone. */
  download(id: string): Promise<void>;
  /** Stops a download. */
  cancelDownload(id: string): Promise<void>;
  /** Regenerates the summary from the current transcript. Resolves after the server has generated it. */
  summarize(id: string, request: SummaryRequest): Promise<Outcome<null, CallFailure>>;
  /** Fetches all versions of a paragraph from the server, the recognized text first. */
  versions(id: string, paragraph: string): Promise<Outcome<readonly TextVersion[], CallFailure>>;
  /** Returns the playable audio of a recording; null if it has none, or if the server is unreachable. */
  audio(id: string, version?: AudioVersion): Promise<Sound | null>;
};

/** A version of a paragraph's text. */
export type TextVersion = CallData<'task/paragraph-history'>['list'][number];

/** Audio that an `<audio>` element can play and seek. */
export type Sound = {
  readonly url: string;
  /** `cloud`: the audio is streamed and can only be played while the server is reachable. */
  readonly from: 'phone' | 'cloud';
  /** The loudness over time; null if the audio is not on this phone. */
  readonly levels: Levels | null;
  /** Frees the URL and ends the use of the file. Call it when playback has ended. */
  release(): void;
};

/** The loudness of audio over time, as peak amplitudes between 0 and 1. */
export type Levels = {
  /** The duration of a level in seconds. */
  readonly step: number;
  /** Reads the levels of a section, given in seconds. The result is shorter if the section exceeds the audio. */
  read(from: number, to: number): Promise<Float32Array>;
};
