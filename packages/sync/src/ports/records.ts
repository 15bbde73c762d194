import type { Task } from '@linnet/contract';
import type { SpokenLanguage } from '@linnet/contract/languages';
import type { Scene } from '@linnet/contract/statuses';
import type { Editable } from '../changes/operations.ts';
import type { CopyReports, Deletion, Sha256 } from '../copies.ts';
import type {
  AudioVersion,
  LocalRecord,
  PhoneRetention,
  Problem,
  RecordDetail,
  RecordSummary,
  RecordWork,
} from '../record.ts';
import type { FinishedAudio } from './audio.ts';

/** Metadata of a recorder's session before its audio is read, or of a microphone recording before it starts. */
export type RecordSeed = {
  /** Where the first copy is: `phone` for recordings made with this device's microphone. */
  readonly source: 'recorder' | 'phone';
  readonly id: string;
  readonly uid: string;
  readonly sn: string;
  readonly deviceFileId: number;
  readonly createDate: string;
  readonly seconds: number;
  readonly scene: Exclude<Scene, 'audio'>;
  /** Current size of the session's Opus packets, in bytes. */
  readonly audioBytes: number;
  /** The ID of the recording that this one continues and will be merged with. */
  readonly continues?: string;
};

/** An incomplete recording that the app made from live audio. */
export type InterruptedRecord = Pick<RecordSeed, 'id' | 'sn' | 'createDate' | 'scene'>;

/** A part of a merged recording, as in the call `task/merge`. */
export type MergedPart = {
  /** The ID of the original recording. */
  readonly client_flag: string;
  /** Where it starts, in seconds. */
  readonly start: number;
};

/** A recording that continues an earlier one. */
export type Continuation = {
  readonly id: string;
  readonly continues: string;
  readonly isComplete: boolean;
};

/** A recording that is complete on the phone when it's added: imported, or merged from others. */
export type ImportedRecord = {
  readonly id: string;
  readonly uid: string;
  readonly title: string;
  readonly createDate: string;
  readonly audio: FinishedAudio;
  /**
   * The size of the imported file and the digest that the server will compute for it, if the file is the master.
   * Otherwise, the Ogg Opus file is the master.
   */
  readonly master?: { readonly bytes: number; readonly sha256: Sha256 };
  /** True (the default) if this recording should be transcribed automatically. */
  readonly autoTranscribe?: boolean;
  /** The recording's type. By default, it's an audio file. */
  readonly scene?: Scene;
  /** The recordings whose transcripts the server should merge. */
  readonly mergedFrom?: readonly MergedPart[];
};

/**
 * A change to a record's local state. The user's edits go through the `ChangeStore` instead. `copies` updates only the
 * places it contains.
 */
export type RecordPatch = Partial<
  Omit<LocalRecord, 'id' | 'uid' | 'update_date' | 'content' | keyof Editable> & {
    audioBytes: number;
    /** True if automatic transcription includes this recording. */
    autoTranscribe: boolean;
    task: RecordWork['task'];
    problem: Problem | null;
    peaks: Uint8Array;
    phoneRetention: PhoneRetention;
    copies: Partial<CopyReports>;
    /** A deleted copy to add to the recording's receipt. */
    deletion: Omit<Deletion, 'at'>;
    /** The language of the requested transcription, or null if none is requested. */
    requestedLanguage: string | null;
    /** The version of the audio to transcribe. */
    requestedAudio: AudioVersion;
    /** Null once the transcripts were merged, or if merging failed. */
    mergedFrom: null;
    continues: string | null;
  }
>;

/** A record in the upload and transcription queue. */
export type QueuedRecord = Pick<
  LocalRecord,
  | 'id'
  | 'title'
  | 'create_date'
  | 'record_time'
  | 'server_id'
  | 'scene'
  | 'sn'
  | 'is_trans'
  | 'process'
  | 'language'
> &
  RecordWork & {
    readonly requestedAudio: AudioVersion;
    /** True if automatic transcription includes this recording. */
    readonly autoTranscribe: boolean;
    /** The recordings whose transcripts the server should merge into this one's, or null if there are none. */
    readonly mergedFrom: readonly MergedPart[] | null;
    /** True if edits of the merged parts that can be sent haven't been sent yet. */
    readonly hasUnsentParts: boolean;
  };

/** The fields that name a recording, and whether it is archived or in the recycle bin. */
export type NamedRecord = Pick<
  LocalRecord,
  'id' | 'title' | 'ai_title' | 'create_date' | 'is_archived' | 'is_del'
>;

/** An open to-do with a due date. */
export type DueTodo = {
  /** Its recording's ID. */
  readonly recording: string;
  readonly text: string;
  /** The day on which it is due, such as `2026-11-21`. */
  readonly due: string;
  /** The ID of the paragraph that mentions it. */
  readonly paragraph: string;
};

/** Thrown by a write when the phone has no disk space left. Nothing was written. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
}

/**
 * Stores the recordings on this phone. Every method is one transaction. Listeners are notified after the commit, as in
 * `ChangeStore`. Methods that write reject with {@link StorageFull} when the disk is full.
 */
export interface RecordStore {
  /**
   * Returns the records outside the recycle bin, newest first. Records and lists that haven't changed since the last
   * call are the same objects, so views can compare them by identity.
   */
  summaries(uid: string): Promise<readonly RecordSummary[]>;
  /** Returns the records in the recycle bin, most recently deleted first. */
  binned(uid: string): Promise<readonly RecordSummary[]>;
  detail(id: string): Promise<RecordDetail | null>;
  /** Returns the names of the account's recordings, keyed by their IDs on the server. Unknown IDs are omitted. */
  namesByServerId(
    uid: string,
    serverIds: readonly string[],
  ): Promise<ReadonlyMap<string, NamedRecord>>;
  /**
   * Creates the record of a recorder's session unless it exists.
   * @returns `deleted` if the user permanently deleted the recording, in which case no record is created
   */
  ensure(seed: RecordSeed): Promise<'created' | 'known' | 'deleted'>;
  /** Deletes all data of a closed account except its audio. */
  deleteAccountData(uid: string): Promise<void>;
  /** Adds an imported recording. */
  add(imported: ImportedRecord): Promise<void>;
  /** Updates a record. Does nothing if the record was deleted. */
  update(id: string, patch: RecordPatch): Promise<void>;
  /** Returns the sync state of the given records. Unknown IDs are omitted. */
  work(ids: readonly string[]): Promise<ReadonlyMap<string, RecordWork>>;
  /** Returns the subset of `ids` whose recordings were permanently deleted. */
  tombstones(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Returns the records whose audio is complete on this phone but not yet verified. Includes only recordings made by
   * this phone or by a recorder whose digest is known.
   */
  unfinished(uid: string): Promise<readonly { readonly id: string }[]>;
  /**
   * Returns incomplete recordings that the app made from live audio, newest first. Recognizes them by the lack of a
   * copy elsewhere rather than by serial number, because a browser may lose recently stored values in a crash.
   */
  interrupted(uid: string): Promise<readonly InterruptedRecord[]>;
  /** Deletes a record that never had any audio. Leaves no tombstone. */
  discard(id: string): Promise<void>;
  /**
   * Returns the records that may need uploading or transcribing, oldest first. Records that need no transcription come
   * last.
   * @param upload true to include all records whose verified audio isn't in the cloud, for example because the cloud
   *   lost it or was turned off
   */
  queue(uid: string, upload: boolean): Promise<readonly QueuedRecord[]>;
  /** Returns the languages of recordings with a language of their own, by record ID. */
  languages(uid: string): Promise<ReadonlyMap<string, SpokenLanguage>>;
  /**
   * Returns the recordings that continue another recording, oldest first, if both are outside the recycle bin.
   * `isComplete` is true if the audio of both is on the phone, and both or neither have a transcript.
   */
  continuations(uid: string): Promise<readonly Continuation[]>;
  /** Stores the results of a finished task. Idempotent. */
  storeResults(id: string, task: Task): Promise<void>;
  /** Returns the names of speakers in the account's records outside the recycle bin, most recent first. */
  speakerNames(uid: string): Promise<readonly string[]>;
  /**
   * Returns the open to-dos that are due in a period, by day, and those of the newest recordings first. Reads the
   * 1,000 newest recordings outside the recycle bin that have a summary.
   * @param first the first day, such as `2026-11-21`
   * @param last the last day
   */
  dueTodos(uid: string, first: string, last: string): Promise<readonly DueTodo[]>;
  /** Calls the listener after every commit that changed data. */
  subscribe(listener: () => void): () => void;
}
