import type { Recording, Task, TaskHead } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
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

/** A session of a recorder before it is read, or of this device's microphone before it is recorded. */
export type RecordSeed = {
  /** The place of the first copy: `phone` for a recording of this device's microphone. */
  readonly source: 'recorder' | 'phone';
  readonly id: string;
  readonly uid: string;
  readonly sn: string;
  readonly deviceFileId: number;
  readonly createDate: string;
  readonly seconds: number;
  readonly recSource: LocalRecord['rec_source'];
  /** Current size of the packets, in bytes. */
  readonly audioBytes: number;
};

/** A recording of this device's microphone that has not been completed. */
export type InterruptedRecord = Pick<RecordSeed, 'id' | 'createDate' | 'recSource'>;

/** An imported recording, complete on the phone. */
export type ImportedRecord = {
  readonly id: string;
  readonly uid: string;
  readonly title: string;
  readonly createDate: string;
  readonly audio: FinishedAudio;
  /** Whether automatic transcription includes it; absent means yes. */
  readonly autoTranscribe?: boolean;
};

/**
 * A change of a record other than an edit, which goes through the `ChangeStore`. `copies` changes only the given
 * places.
 */
export type RecordPatch = Partial<
  Omit<LocalRecord, 'id' | 'uid' | 'update_date' | 'content' | keyof Editable> & {
    audioBytes: number;
    /** Whether automatic transcription includes it. */
    autoTranscribe: boolean;
    task: RecordWork['task'];
    trouble: Trouble | null;
    peaks: Uint8Array;
    phoneRetention: PhoneRetention;
    copies: Partial<CopyReports>;
    /** A deleted copy, for the recording's receipt. */
    deletion: Omit<Deletion, 'at'>;
    /** Language of the requested transcription; null if none is requested. */
    requestedLanguage: string | null;
    /** The version of the audio to transcribe. */
    requestedAudio: AudioVersion;
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
  | 'rec_source'
  | 'sn'
  | 'is_trans'
  | 'process'
> &
  RecordWork & {
    readonly requestedAudio: AudioVersion;
    /** Whether automatic transcription includes it. */
    readonly autoTranscribe: boolean;
  };

/** Thrown for a write when the phone has no disk space left. Nothing was written. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
}

/**
 * The record store. Every method is one transaction; listeners are notified after the commit. Methods that write reject
 * with {@link StorageFull} when the disk is full.
 */
export interface RecordStore {
  /** Returns the records outside the recycle bin, newest first. Unchanged records and lists are the same objects. */
  summaries(uid: string): Promise<readonly RecordSummary[]>;
  /** Returns the records in the recycle bin, the most recently binned first. */
  binned(uid: string): Promise<readonly RecordSummary[]>;
  detail(id: string): Promise<RecordDetail | null>;
  /**
   * Ensures that a recorder's session has a record. Idempotent.
   * @returns `deleted` if the recording was permanently deleted and must not be created again
   */
  ensure(seed: RecordSeed): Promise<'created' | 'known' | 'deleted'>;
  /** Deletes all data of a closed account except its audio. */
  deleteAccountData(uid: string): Promise<void>;
  /** Adds an imported recording. */
  add(imported: ImportedRecord): Promise<void>;
  /** Changes a record; does nothing if it was deleted. */
  update(id: string, patch: RecordPatch): Promise<void>;
  /** Returns the sync state of records; the result omits unknown ids. */
  work(ids: readonly string[]): Promise<ReadonlyMap<string, RecordWork>>;
  /** Returns the ids among `ids` whose recordings were permanently deleted. */
  tombstones(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Returns the records whose audio is complete on this phone, but not verified yet. The source is a recorder whose
   * digest is known, or this phone.
   */
  unfinished(uid: string): Promise<readonly { readonly id: string }[]>;
  /**
   * Returns the incomplete recordings of this device's microphone, newest first: those that exist nowhere else. A serial
   * number cannot identify them, because a browser may lose recently stored values in a crash.
   */
  interrupted(uid: string): Promise<readonly InterruptedRecord[]>;
  /** Deletes a record for which no audio was ever recorded. Leaves no tombstone. */
  discard(id: string): Promise<void>;
  /** Returns the records that may need uploading or transcribing, oldest first. */
  queue(uid: string): Promise<readonly QueuedRecord[]>;
  /** Stores the results of a finished task. Idempotent. */
  storeResults(id: string, task: Task): Promise<void>;
  /** Calls the listener after every commit that changed data. */
  subscribe(listener: () => void): () => void;
}

/** A row of `task/index`. */
export type ServerRow = Recording & { readonly task: TaskHead | null };

/**
 * Reasons why the phone could not store or prepare audio.
 *
 * - `storage_full`: the disk is full.
 * - `file_missing`: the source is not on the phone.
 * - `not_audio`: the bytes cannot be decoded.
 * - `no_sound`: the file is valid, but contains no audio.
 * - `too_large`: the file is too large for this browser, which can decode it only in memory.
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

/** A file that is appended to in pieces. */
export interface DurableFile {
  /** Number of durable bytes. */
  readonly bytes: number;
  /** Resolves once the bytes are durable. @throws AudioStoreError `storage_full`, `io_failed` */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** The result of creating a session's files. */
export type FinishedAudio = {
  /** Digest of the packets, lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly seconds: number;
  readonly peaks: Uint8Array;
  /** Path of the WAV, as stored in `localfile`. */
  readonly localfile: string;
};

/** The store of audio files on the phone. */
export interface AudioStore {
  /** Opens or creates the temporary file, truncated to a multiple of `chunkBytes`. */
  openPackets(id: string, chunkBytes: number): Promise<DurableFile>;
  /** Deletes the temporary file. */
  discardPackets(id: string): Promise<void>;
  /** Opens or creates the file of a download: the stored file of the cloud, byte for byte. */
  openDownload(id: string): Promise<DurableFile>;
  /** Returns the downloaded part; null if there is none. */
  download(id: string): Promise<Blob | null>;
  /**
   * Extracts the packets of a downloaded Ogg Opus file to the temporary file; the download stays.
   * @throws AudioStoreError `file_missing`, `not_audio` (packets of another size, or incomplete ones), `storage_full`,
   *   `io_failed`
   */
  unpack(id: string): Promise<void>;
  discardDownload(id: string): Promise<void>;
  /**
   * Creates master, WAV, hash and peaks from the temporary file, which remains. Durable and idempotent. A failure leaves
   * neither master nor WAV.
   * @throws AudioStoreError `file_missing`, `not_audio`, `storage_full`, `io_failed`
   */
  finish(id: string, onProgress?: (fraction: number) => void): Promise<FinishedAudio>;
  /** Returns the master, for uploading; null if it is not on the phone. */
  master(id: string): Promise<Blob | null>;
  /** Returns the WAV, for playback; null if it is not on the phone. */
  wave(id: string): Promise<Blob | null>;
  /** Deletes all files of a recording. */
  remove(id: string): Promise<void>;
}

/** The part of an {@link AudioStore} used to read sessions from a recorder. */
export type SessionAudio = Pick<
  AudioStore,
  'openPackets' | 'discardPackets' | 'finish' | 'master' | 'remove'
>;

/**
 * Long-running audio operations, with progress (0–1) and cancellation. A canceled operation rejects with the signal's
 * reason. Failed and canceled operations leave no file.
 */
export interface AudioWorkshop {
  /**
   * Converts a file of any decodable format to packets in the recorder's format, in the temporary file.
   * @throws AudioStoreError `not_audio`, `no_sound`, `too_large`, `storage_full`, `io_failed`
   */
  convert(
    id: string,
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Creates the denoised version of the master.
   * @returns its path, as stored in `local_noise_file`
   * @throws AudioStoreError `file_missing`, `not_audio`, `storage_full`, `io_failed`
   */
  reduceNoise(
    id: string,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<string>;
  /** Returns the denoised version, for playback; null if it is not on the phone. */
  denoised(id: string): Promise<Blob | null>;
  removeDenoised(id: string): Promise<void>;
  /** Returns the ids of recordings that have a temporary file or a denoised version, complete or not. */
  list(): Promise<{ readonly packets: readonly string[]; readonly denoised: readonly string[] }>;
}

/** The server's calls for recordings. Failures are returned as values. */
export interface Cloud {
  check(record: UploadFacts): Promise<CloudResult<Recording | null>>;
  /**
   * Requests an immediate check of a recording's stored audio.
   * @returns the digest, computed by the server; null if it has no audio
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
   * Uploads audio that one task transcribes in place of the recording's. `onProgress` receives 0–1.
   * @returns the URL of the uploaded audio
   */
  uploadForTask(
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<CloudResult<string>>;
  /**
   * Downloads the stored file of a recording, starting at an offset. `onPiece` receives the pieces in order, one at a
   * time, with the size of the complete file. The call rejects if `onPiece` does.
   */
  download(
    serverId: string,
    fromByte: number,
    onPiece: (bytes: Uint8Array, size: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<CloudResult<null>>;
  createTask(serverId: string, request: TaskRequest): Promise<CloudResult<{ id: string }>>;
  /** Returns the server's recordings with these ids. */
  list(ids: readonly string[]): Promise<CloudResult<readonly ServerRow[]>>;
  task(id: string): Promise<CloudResult<Task>>;
}
/** The options of a transcription. */
export type TaskRequest = {
  /** BCP-47, or `auto`. */
  readonly language: string;
  /** The id of the latest, completed task, to replace its results. */
  readonly replaces?: string;
  /** URL of the audio to transcribe in place of the recording's. */
  readonly audioUrl?: string;
};
export type CloudResult<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly failure: CallFailure };

/** The metadata that an upload registers. */
export type UploadFacts = {
  readonly id: string;
  readonly name: string;
  readonly recSource: LocalRecord['rec_source'];
  readonly seconds: number;
  readonly sn: string;
  readonly recordedAt: string;
  /** Whether automatic transcription includes it. */
  readonly autoTranscribe: boolean;
  /** Loudness of equal parts of the recording, 0–255 each. */
  readonly peaks: Uint8Array;
};

/** A clock, which tests replace. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Writes a line to the app's log. Never pass titles, transcripts or addresses. */
export type Log = (event: string, facts?: Readonly<Record<string, string | number>>) => void;
