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

/** A recorder's session as it is listed, before any of it was read. */
export type RecordSeed = {
  readonly id: string;
  readonly uid: string;
  readonly sn: string;
  readonly deviceFileId: number;
  readonly createDate: string;
  readonly seconds: number;
  readonly recSource: LocalRecord['rec_source'];
  /** Bytes of packets so far. */
  readonly audioBytes: number;
};

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
 * A change of a record other than an edit; edits go through the `ChangeStore`. `copies` changes only the places it
 * names.
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
    /** A copy that was deleted, for the recording's receipt. */
    deletion: Omit<Deletion, 'at'>;
    /** The language requested by the user or by automatic transcription; null if none is. */
    requestedLanguage: string | null;
    /** The version of the audio to transcribe. */
    requestedAudio: AudioVersion;
  }
>;

/** A record as the upload and transcription queue sees it. */
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

/** The store refuses a write because the phone has no disk space left. Nothing was written. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
}

/**
 * The store of records. Every method is one transaction; listeners are notified after the commit. Methods that write
 * reject with {@link StorageFull} when the disk is full.
 */
export interface RecordStore {
  /** Records outside the recycle bin, newest first. Unchanged records, and an unchanged list, are the same objects. */
  summaries(uid: string): Promise<readonly RecordSummary[]>;
  /** Records in the recycle bin, the last binned first. */
  binned(uid: string): Promise<readonly RecordSummary[]>;
  detail(id: string): Promise<RecordDetail | null>;
  /**
   * Ensures that a recorder's session has a record. Idempotent.
   * @returns `deleted` if the recording was permanently deleted: it must not return
   */
  ensure(seed: RecordSeed): Promise<'created' | 'known' | 'deleted'>;
  /** Deletes everything of a closed account except its audio. */
  deleteAccountData(uid: string): Promise<void>;
  /** Adds an imported recording. */
  add(imported: ImportedRecord): Promise<void>;
  /** Changes a record; does nothing if it was deleted. */
  update(id: string, patch: RecordPatch): Promise<void>;
  /** The sync state of records; unknown ids are absent from the result. */
  work(ids: readonly string[]): Promise<ReadonlyMap<string, RecordWork>>;
  /** Those of the ids that were permanently deleted. */
  tombstones(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Records whose audio was completely read but not verified yet. */
  unfinished(uid: string): Promise<readonly { id: string; bytes: number; sha256: Sha256 }[]>;
  /** Records that may need uploading or transcribing, oldest first. */
  queue(uid: string): Promise<readonly QueuedRecord[]>;
  /** Stores the results of a finished task, unless they are stored already. */
  storeResults(id: string, task: Task): Promise<void>;
  /** Called after every commit that changed something. */
  subscribe(listener: () => void): () => void;
}

/** A row of `task/index`. */
export type ServerRow = Recording & { readonly task: TaskHead | null };

/**
 * Why the phone could not store or prepare audio.
 *
 * - `storage_full`: the disk is full.
 * - `file_missing`: the source is not on the phone.
 * - `not_audio`: the bytes cannot be decoded.
 * - `no_sound`: they can, but contain no audio.
 * - `too_large`: this browser can decode the file only as a whole, for which it is too large.
 * - `io_failed`: any other failure of the platform.
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
  /** Durable bytes. */
  readonly bytes: number;
  /** Resolves once the bytes are durable. @throws AudioStoreError `storage_full`, `io_failed` */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** The result of making the files of a session. */
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
  /** The downloaded part; null if there is none. */
  download(id: string): Promise<Blob | null>;
  /**
   * Extracts the packets of a downloaded Ogg Opus file to the temporary file; the download stays.
   * @throws AudioStoreError `file_missing`, `not_audio` (anything but whole packets of the recorder's size),
   *   `storage_full`, `io_failed`
   */
  unpack(id: string): Promise<void>;
  discardDownload(id: string): Promise<void>;
  /**
   * Makes master, WAV, hash and peaks from the temporary file, durably, and keeps the temporary file. Idempotent. A
   * failure leaves neither master nor WAV.
   * @throws AudioStoreError `file_missing`, `not_audio`, `storage_full`, `io_failed`
   */
  finish(id: string, onProgress?: (fraction: number) => void): Promise<FinishedAudio>;
  /** The master, for uploading; null if it is not on the phone. */
  master(id: string): Promise<Blob | null>;
  /** The WAV, for playback; null if it is not on the phone. */
  wave(id: string): Promise<Blob | null>;
  /** Deletes all files of a recording. */
  remove(id: string): Promise<void>;
}

/** The part of an {@link AudioStore} that reading sessions from a recorder needs. */
export type SessionAudio = Pick<
  AudioStore,
  'openPackets' | 'discardPackets' | 'finish' | 'master' | 'remove'
>;

/**
 * Long-running work on audio, with progress (0–1) and cancellation by `signal`, whose reason it rejects with. Failed or
 * canceled work leaves no file.
 */
export interface AudioWorkshop {
  /**
   * Converts a file of any decodable format to packets like a recorder's, in the temporary file.
   * @throws AudioStoreError `not_audio`, `no_sound`, `too_large`, `storage_full`, `io_failed`
   */
  convert(
    id: string,
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Makes the denoised version of the master, beside it.
   * @returns its path, as stored in `local_noise_file`
   * @throws AudioStoreError `file_missing`, `not_audio`, `storage_full`, `io_failed`
   */
  reduceNoise(
    id: string,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<string>;
  /** The denoised version, for playback; null if it is not on the phone. */
  denoised(id: string): Promise<Blob | null>;
  removeDenoised(id: string): Promise<void>;
  /** Ids of the recordings that have a temporary file or a denoised version, complete or not. */
  list(): Promise<{ readonly packets: readonly string[]; readonly denoised: readonly string[] }>;
}

/** The server's calls for recordings. Failures are values, as the client's are. */
export interface Cloud {
  check(record: UploadFacts): Promise<CloudResult<Recording | null>>;
  /**
   * Has the server check the stored audio of a recording now.
   * @returns its digest, computed by the server; null if it has no audio
   */
  digest(recordId: string): Promise<CloudResult<Sha256 | null>>;
  /** Stores the master and registers it. `onProgress` 0–1. */
  upload(
    record: UploadFacts,
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<CloudResult<Recording>>;
  /**
   * Uploads audio that one task transcribes in place of the recording's. `onProgress` 0–1.
   * @returns its URL
   */
  uploadForTask(
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<CloudResult<string>>;
  /**
   * Downloads the stored file of a recording from an offset on. Pieces arrive in order, each after `onPiece` has
   * resolved for the one before; `onPiece` also gets the size of the whole file. The call rejects if `onPiece` does.
   */
  download(
    serverId: string,
    fromByte: number,
    onPiece: (bytes: Uint8Array, size: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<CloudResult<null>>;
  createTask(serverId: string, wish: TaskRequest): Promise<CloudResult<{ id: string }>>;
  /** The recordings with these ids that the server has. */
  list(ids: readonly string[]): Promise<CloudResult<readonly ServerRow[]>>;
  task(id: string): Promise<CloudResult<Task>>;
}
/** The options of a transcription. */
export type TaskRequest = {
  /** BCP-47, or `auto`. */
  readonly language: string;
  /** The id of the latest task, which is done, to replace it. */
  readonly again?: string;
  /** URL of the audio to transcribe in place of the recording's. */
  readonly audioUrl?: string;
};
export type CloudResult<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly failure: CallFailure };

/** The facts about a recording that an upload registers. */
export type UploadFacts = {
  readonly id: string;
  readonly name: string;
  readonly recSource: LocalRecord['rec_source'];
  readonly seconds: number;
  readonly sn: string;
  readonly recordedAt: string;
  /** Whether automatic transcription includes it. */
  readonly autoTranscribe: boolean;
  /** Loudness, 0–255, of any number of equal parts. */
  readonly peaks: Uint8Array;
};

/** A clock, replaced in tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Writes a line to the app's log. Never titles, texts or addresses. */
export type Log = (event: string, facts?: Readonly<Record<string, string | number>>) => void;
