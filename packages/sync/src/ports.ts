import type { Recording, Task, TaskHead } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { SpokenLanguage } from '@linnet/contract/languages';
import type { Scene } from '@linnet/contract/statuses';
import type { Editable } from './changes/operations.ts';
import type { CopyReports, Deletion, Sha256 } from './copies.ts';
import type {
  AudioVersion,
  LocalRecord,
  PhoneRetention,
  RecordDetail,
  RecordSummary,
  RecordWork,
  Trouble,
} from './record.ts';

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
  /** The id of the recording that this one continues, with which it will be merged. */
  readonly continues?: string;
};

/** An incomplete recording that the app made from live audio. */
export type InterruptedRecord = Pick<RecordSeed, 'id' | 'sn' | 'createDate' | 'scene'>;

/** A part of a merged recording, as in the call `task/merge`. */
export type MergedPart = {
  /** The id of the recording that it was. */
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
    trouble: Trouble | null;
    peaks: Uint8Array;
    phoneRetention: PhoneRetention;
    copies: Partial<CopyReports>;
    /** A deleted copy to add to the recording's receipt. */
    deletion: Omit<Deletion, 'at'>;
    /** The language of the requested transcription, or null if none is requested. */
    requestedLanguage: string | null;
    /** The version of the audio to transcribe. */
    requestedAudio: AudioVersion;
    /** Null once the transcripts were merged, or if they can't be. */
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
    /** True if edits of these recordings haven't been sent yet. */
    readonly hasUnsentParts: boolean;
  };

/** The fields that name a recording, and whether it is archived or in the recycle bin. */
export type NamedRecord = Pick<
  LocalRecord,
  'id' | 'title' | 'ai_title' | 'create_date' | 'is_archived' | 'is_del'
>;

/** Thrown by a write when the phone has no disk space left. Nothing was written. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
}

/**
 * Stores the recordings on this phone. Every method is one transaction, and listeners are notified after the commit.
 * Methods that write reject with {@link StorageFull} when the disk is full.
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
  /** Returns the names of the account's recordings, keyed by their ids on the server. Unknown ids are omitted. */
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
  /** Returns the sync state of the given records. Unknown ids are omitted. */
  work(ids: readonly string[]): Promise<ReadonlyMap<string, RecordWork>>;
  /** Returns the subset of `ids` whose recordings were permanently deleted. */
  tombstones(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Returns the records whose audio is complete on this phone but not yet verified. Includes only recordings made by
   * this phone or by a recorder whose digest is known.
   */
  unfinished(uid: string): Promise<readonly { readonly id: string }[]>;
  /**
   * Returns incomplete recordings that the app made from live audio, newest first. They're identified by having no
   * copy elsewhere rather than by serial number, because a browser may lose recently stored values in a crash.
   */
  interrupted(uid: string): Promise<readonly InterruptedRecord[]>;
  /** Deletes a record that never had any audio. Leaves no tombstone. */
  discard(id: string): Promise<void>;
  /** Returns the records that may need uploading or transcribing, oldest first. */
  queue(uid: string): Promise<readonly QueuedRecord[]>;
  /** Returns the languages of the recordings that have one of their own, by record id. */
  languages(uid: string): Promise<ReadonlyMap<string, SpokenLanguage>>;
  /**
   * Returns the recordings that continue another one, oldest first, if both are outside the recycle bin. `isComplete` is
   * true if the audio of both is on the phone, and both or neither have a transcript.
   */
  continuations(uid: string): Promise<readonly Continuation[]>;
  /** Stores the results of a finished task. Idempotent. */
  storeResults(id: string, task: Task): Promise<void>;
  /** Returns the names of speakers in the account's records outside the recycle bin, most recent first. */
  speakerNames(uid: string): Promise<readonly string[]>;
  /** Calls the listener after every commit that changed data. */
  subscribe(listener: () => void): () => void;
}

/** A row of `task/index`. */
export type ServerRow = Recording & { readonly task: TaskHead | null };

/**
 * Why the phone couldn't store or prepare audio.
 *
 * - `storage_full`: the disk is full.
 * - `file_missing`: the source isn't on the phone.
 * - `not_audio`: the bytes can't be decoded.
 * - `no_sound`: the file is valid but contains no audio.
 * - `too_large`: the file is too large for this browser, which can only decode files in memory.
 * - `io_failed`: any other platform failure.
 */
export type AudioStoreErrorCode =
  | 'storage_full'
  | 'file_missing'
  | 'not_audio'
  | 'no_sound'
  | 'too_large'
  | 'io_failed';

/** A failure of the {@link AudioStore} or the {@link AudioWorkshop}; `cause` holds the platform's error. */
export class AudioStoreError extends Error {
  override readonly name = 'AudioStoreError';
  readonly code: AudioStoreErrorCode;

  constructor(code: AudioStoreErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** An append-only file whose contents survive a crash. */
export interface DurableFile {
  /** How many bytes have been written to disk. */
  readonly bytes: number;
  /** Appends bytes. Resolves once they're on disk. @throws AudioStoreError `storage_full`, `io_failed` */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** The audio files created from a session's packets. */
export type FinishedAudio = {
  /** The SHA-256 digest of the packets, in lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly seconds: number;
  readonly peaks: Uint8Array;
  /** The path of the WAV, as stored in `localfile`. */
  readonly localfile: string;
};

/**
 * Stores audio files on the phone. A recording has a temporary file with the packets received so far and, once these
 * are complete, an Ogg Opus file of the packets and a WAV for playback. The master is the file that gets uploaded: an
 * imported file that the server can decode, or else the Ogg Opus file. A call recorded on this device also has a file
 * with its levels.
 */
export interface AudioStore {
  /** Opens or creates the temporary file, truncated to a multiple of `chunkBytes`. */
  openPackets(id: string, chunkBytes: number): Promise<DurableFile>;
  /**
   * Returns the bytes `from` up to `to` of the temporary file, which may be in use, or null if it doesn't have them all.
   * @throws AudioStoreError `io_failed`
   */
  readPackets(id: string, from: number, to: number): Promise<Uint8Array | null>;
  /** Deletes the temporary file. */
  discardPackets(id: string): Promise<void>;
  /** Opens or creates the file that receives an exact copy of the cloud's audio file. */
  openDownload(id: string): Promise<DurableFile>;
  /** Returns the part downloaded so far, or null if there is none. */
  download(id: string): Promise<Blob | null>;
  /**
   * Extracts the packets of a downloaded Ogg Opus file to the temporary file, and keeps the downloaded file.
   * @throws AudioStoreError `file_missing`, `not_audio` (packets of a different size or incomplete packets),
   *   `storage_full`, `io_failed`
   */
  unpack(id: string): Promise<void>;
  discardDownload(id: string): Promise<void>;
  /**
   * Creates the Ogg Opus file, WAV, digest and peaks from the temporary file, and keeps the temporary file. Can be
   * repeated after a crash. On failure, neither audio file is left behind.
   * @throws AudioStoreError `file_missing`, `not_audio`, `storage_full`, `io_failed`
   */
  finish(id: string, onProgress?: (fraction: number) => void): Promise<FinishedAudio>;
  /** Returns the master with its media type, or null if it isn't on the phone. */
  master(id: string): Promise<Blob | null>;
  /** Returns the Ogg Opus file, or null if it isn't on the phone. */
  oggOpus(id: string): Promise<Blob | null>;
  /** Returns the WAV, or null if it isn't on the phone. */
  wave(id: string): Promise<Blob | null>;
  /** Returns a call's levels (`@linnet/audio/call`), or null if this device didn't record a call. */
  callLevels(id: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Deletes all files of a recording. */
  remove(id: string): Promise<void>;
}

/** The subset of {@link AudioStore} needed to read sessions from a recorder. */
export type SessionAudio = Pick<
  AudioStore,
  'openPackets' | 'discardPackets' | 'finish' | 'master' | 'remove'
>;

/** A file's size in bytes, and its digests in lower-case hex. */
export type FileDigest = {
  readonly size: number;
  /** The SHA-256 of the file. */
  readonly sha256: string;
  /** The digest that the server reports for the file: of its packets if it's Ogg Opus, otherwise of the whole file. */
  readonly audioSha256: string;
};

/**
 * Long-running audio operations. Progress is reported from 0 to 1. A canceled operation rejects with `signal.reason`.
 * Failed or canceled operations leave no file behind.
 */
export interface AudioWorkshop {
  /** Computes the digests of a file. @throws AudioStoreError `file_missing`, `io_failed` */
  digest(
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<FileDigest>;
  /**
   * Stores an exact copy of an imported file.
   * @param isMaster true if it's the recording's master, which gets uploaded
   * @throws AudioStoreError `file_missing`, `storage_full`, `io_failed`
   */
  keepOriginal(id: string, file: Blob, isMaster: boolean, signal: AbortSignal): Promise<void>;
  /**
   * Converts a file in any decodable format to the recorder's format, and writes the packets to the temporary file.
   * @returns the id of the file's kind (`@linnet/audio/kind`), or null if it's a video or of any other kind
   * @throws AudioStoreError `not_audio`, `no_sound`, `too_large`, `file_missing`, `storage_full`, `io_failed`
   */
  convert(
    id: string,
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<{ readonly kind: string | null }>;
  /**
   * Writes the packets of finished recordings, one after the other, to the temporary file of a new one.
   * @param parts the ids of the recordings, whose Ogg Opus files are on the phone
   * @returns where each part starts, in seconds
   * @throws AudioStoreError `file_missing`, `not_audio`, `storage_full`, `io_failed`
   */
  join(
    id: string,
    parts: readonly string[],
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<readonly number[]>;
  /**
   * Creates the denoised version of the master.
   * @returns the path of the denoised file, as stored in `local_noise_file`
   * @throws AudioStoreError `file_missing`, `not_audio`, `storage_full`, `io_failed`
   */
  reduceNoise(
    id: string,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<string>;
  /** Returns the denoised version, or null if it isn't on the phone. */
  denoised(id: string): Promise<Blob | null>;
  removeDenoised(id: string): Promise<void>;
  /** Returns the ids of recordings that have a temporary file or a denoised version, including incomplete files. */
  list(): Promise<{ readonly packets: readonly string[]; readonly denoised: readonly string[] }>;
}

/** The server's API for recordings. Calls resolve with failures instead of rejecting. */
export interface Cloud {
  /** Returns the server's recording with the same id, or null if there is none. */
  check(record: UploadFacts): Promise<CloudResult<Recording | null>>;
  /**
   * Asks the server to check a recording's stored audio now.
   * @returns the digest that the server computed, or null if it has no audio
   */
  digest(recordId: string): Promise<CloudResult<Sha256 | null>>;
  /** Uploads the master and registers it. `onProgress` receives 0–1. */
  upload(
    record: UploadFacts,
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<CloudResult<Recording>>;
  /**
   * Uploads audio for a single transcription task to use instead of the recording's own audio. `onProgress` receives
   * 0–1.
   * @returns the URL of the uploaded audio
   */
  uploadForTask(
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<CloudResult<string>>;
  /**
   * Downloads a recording's audio file, starting at an offset. `onPiece` receives each piece in order and the size of
   * the complete file; the next piece isn't fetched until it resolves. Rejects if `onPiece` rejects.
   */
  download(
    serverId: string,
    fromByte: number,
    onPiece: (bytes: Uint8Array, size: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<CloudResult<null>>;
  createTask(serverId: string, request: TaskRequest): Promise<CloudResult<{ id: string }>>;
  /** Gives a merged recording the transcripts of its parts. @returns the task with them */
  mergeTranscripts(
    serverId: string,
    parts: readonly MergedPart[],
  ): Promise<CloudResult<{ readonly id: string; readonly language: string }>>;
  /** Returns the server's recordings with these ids. */
  list(ids: readonly string[]): Promise<CloudResult<readonly ServerRow[]>>;
  task(id: string): Promise<CloudResult<Task>>;
}

/** The options of a transcription. */
export type TaskRequest = {
  /** A BCP 47 language tag, or `auto`. */
  readonly language: string;
  /** The id of the latest completed task, whose results the new task replaces. */
  readonly replaces?: string;
  /** The URL of the audio to transcribe instead of the recording's own audio. */
  readonly audioUrl?: string;
};

export type CloudResult<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly failure: CallFailure };

/** The metadata registered with a recording's upload. */
export type UploadFacts = {
  readonly id: string;
  readonly name: string;
  readonly scene: Scene;
  readonly seconds: number;
  readonly sn: string;
  readonly recordedAt: string;
  /** True if automatic transcription includes this recording. */
  readonly autoTranscribe: boolean;
  /** The loudness of equal-length sections of the recording, each from 0 to 255. */
  readonly peaks: Uint8Array;
  /** A call's levels, used to tell the speakers apart, or null for other recordings. */
  readonly callLevels: Uint8Array<ArrayBuffer> | null;
};

/** A clock that tests can replace. */
export interface Clock {
  /** The milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or rejects with `signal.reason` if aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Writes a line to the app's log. Never pass titles, transcripts or addresses. */
export type Log = (event: string, facts?: Readonly<Record<string, string | number>>) => void;
