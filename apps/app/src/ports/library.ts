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

/** The current operation on a recording, in addition to its database state; absent if there is none. */
export type Moving = { readonly movement?: Movement };

/** Options of a summary. Defaults: the previous structure, and the recording's language. */
export type SummaryRequest = {
  readonly structure?: StructureId;
  readonly template?: SummaryTemplate;
  /** BCP-47. */
  readonly language?: Bcp47;
};

export type LibraryService = {
  /** All recordings of the account outside the recycle bin, newest first. */
  readonly records: Live<readonly (RecordSummary & Moving)[]>;
  /** The recycle bin, last deleted first. */
  readonly bin: Live<readonly RecordSummary[]>;
  record(id: string): Live<(RecordDetail & Moving) | null>;
  markRead(id: string): Promise<void>;
  /**
   * Applies an edit locally and queues it for the server and other phones. An edit of a deleted recording has
   * no effect.
   */
  edit(edit: Edit): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** Applies several edits atomically. Each must target a different recording or paragraph. */
  editAll(edits: readonly Edit[]): Promise<void>;
  /** Moves recordings to the recycle bin; `restore` is the undo. */
  moveToBin(ids: readonly string[]): Promise<void>;
  restore(ids: readonly string[]): Promise<void>;
  /**
   * Deletes recordings in the bin permanently, with transcript and audio, everywhere except on the recorder.
   */
  deleteForGood(ids: readonly string[]): Promise<void>;
  /** Edits refused by the server, until the user dismisses them. */
  readonly refused: Live<readonly RefusedEdit[]>;
  /** @param opIds ids of their operations */
  dismissRefused(opIds: readonly string[]): Promise<void>;
  /** Pulls changes from the server now and reports the outcome. */
  refresh(): Promise<Outcome<null, CallFailure>>;
  /** Retries the failed operation in the record's `trouble`. */
  retry(id: string): Promise<void>;
  /** Requests a transcript in a language (BCP-47 or `auto`), replacing an existing one. */
  transcribe(id: string, language: string, version?: AudioVersion): Promise<void>;
  /** Cancels a transcription request not yet sent to the server. */
  cancelRequest(id: string): Promise<void>;
  /** Cancels a transcription in progress on the server; its reserved minutes are returned. */
  cancelTranscription(id: string): Promise<Outcome<null, CallFailure>>;
  /** Downloads a recording's audio from the cloud with priority, and retains it on this phone. */
  download(id: string): Promise<void>;
  /** Stops a download. */
  cancelDownload(id: string): Promise<void>;
  /** Regenerates the summary from the current transcript; resolves once it is on this phone. */
  summarize(id: string, request: SummaryRequest): Promise<Outcome<null, CallFailure>>;
  /** All versions of a paragraph known to the server, the recognized text first. */
  versions(id: string, paragraph: string): Promise<Outcome<readonly TextVersion[], CallFailure>>;
  /** The playable audio of a recording; null if there is none, or the server is unreachable. */
  audio(id: string, version?: AudioVersion): Promise<Sound | null>;
};

/** A version of a paragraph's text. */
export type TextVersion = CallData<'task/paragraph-history'>['list'][number];

/** Audio that an `<audio>` element can play and seek. */
export type Sound = {
  readonly url: string;
  /** `cloud`: streamed, and only playable while the server is reachable. */
  readonly from: 'phone' | 'cloud';
  /** Loudness over time; null if the audio is not on this phone. */
  readonly levels: Levels | null;
  release(): void;
};

/**
 * Peak amplitudes of the audio, 0 to 1, one per step.
 */
export type Levels = {
  /** Seconds. */
  readonly step: number;
  /** Reads a section, in seconds. The result is shorter at the end of the audio. */
  read(from: number, to: number): Promise<Float32Array>;
};
