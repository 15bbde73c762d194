import type { Recording, Task, TaskHead } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Editable } from './changes/operations.ts';
import type { CopyReports, Deletion, Sha256 } from './copies.ts';
import type {
  KeptHere,
  LocalRecord,
  RecordDetail,
  RecordSummary,
  RecordWork,
  SoundVersion,
  Trouble,
} from './record.ts';

/** What is known of a session on a recorder before any of it was read. */
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

/** A recording that came from a file, all of it on the phone. */
export type ImportedRecord = {
  readonly id: string;
  readonly uid: string;
  readonly title: string;
  readonly createDate: string;
  readonly audio: FinishedAudio;
  /** Whether it is transcribed without a further tap, where recordings are; absent means yes. */
  readonly autoTranscribe?: boolean;
};

/**
 * What may change in a record without its owner's doing; what its owner does goes through the
 * `ChangeStore`. `copies` changes only the places it names.
 */
export type RecordPatch = Partial<
  Omit<LocalRecord, 'id' | 'uid' | 'update_date' | 'content' | keyof Editable> & {
    audioBytes: number;
    /** Whether it is transcribed without a further tap, where recordings are. */
    autoTranscribe: boolean;
    task: RecordWork['task'];
    trouble: Trouble | null;
    peaks: Uint8Array;
    keptHere: KeptHere;
    copies: Partial<CopyReports>;
    /** A copy that was deleted, for the recording's receipt. */
    deletion: Omit<Deletion, 'at'>;
    /** The language the owner, or automatic transcription, asked for; null when nobody did. */
    wantedLanguage: string | null;
    /** Which sound is to be heard for it. */
    wantedAudio: SoundVersion;
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
    readonly wantedAudio: SoundVersion;
    /** Whether it is transcribed without a further tap, where recordings are. */
    readonly autoTranscribe: boolean;
  };

/** A store's refusal to write: the phone has no room left. Nothing of that write was kept. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

/**
 * Where records are kept. Every method is one transaction; listeners are told after the commit. What
 * writes rejects with {@link NoRoom} when no more fits.
 */
export interface RecordStore {
  /** Kept records, newest first. One that is as it was is the very same object, and so are all of them. */
  summaries(uid: string): Promise<readonly RecordSummary[]>;
  /** What lies in the recycle bin, what changed last first: nothing changes there but by being put there. */
  binned(uid: string): Promise<readonly RecordSummary[]>;
  detail(id: string): Promise<RecordDetail | null>;
  /**
   * Makes sure that a session of a recorder has a record. Idempotent.
   * @returns `deleted` when its owner deleted it for good: it must not come back.
   */
  ensure(seed: RecordSeed): Promise<'created' | 'known' | 'deleted'>;
  /** Takes off this phone whatever is kept of an account that is no more; not its audio. */
  forgetOwner(uid: string): Promise<void>;
  /** Adds a recording that came from a file. */
  add(imported: ImportedRecord): Promise<void>;
  /** Changes a record; one that is gone stays gone. */
  update(id: string, patch: RecordPatch): Promise<void>;
  /** What lies where, for some records; unknown ids are absent from the answer. */
  work(ids: readonly string[]): Promise<ReadonlyMap<string, RecordWork>>;
  /** Ids that were deleted for good, among these. */
  tombstones(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Records with audio on the phone that is not verified yet although all of it was read. */
  unfinished(uid: string): Promise<readonly { id: string; bytes: number; sha256: Sha256 }[]>;
  /** Records that may need uploading or transcribing, oldest first. */
  queue(uid: string): Promise<readonly QueuedRecord[]>;
  /** Takes over the results of a finished task, unless they are here already. */
  takeResults(id: string, task: Task): Promise<void>;
  /** Called after every commit that changed something. */
  subscribe(listener: () => void): () => void;
}

/** A row of `task/index`. */
export type ServerRow = Recording & { readonly task: TaskHead | null };

/**
 * Why the phone could not store or prepare audio.
 *
 * - `storage_full`: no more fits.
 * - `file_missing`: what is to be prepared is not here.
 * - `not_audio`: the bytes cannot be decoded.
 * - `no_sound`: they can, and there is nothing in them.
 * - `too_large`: this browser could decode them only all at once, for which they are too many.
 * - `io_failed`: anything else that the platform says.
 */
export type AudioStoreErrorCode =
  | 'storage_full'
  | 'file_missing'
  | 'not_audio'
  | 'no_sound'
  | 'too_large'
  | 'io_failed';

/** A failure of the {@link AudioStore} or the {@link AudioWorkshop}; what the platform said stays in `cause`. */
export class AudioStoreError extends Error {
  override readonly name = 'AudioStoreError';
  readonly code: AudioStoreErrorCode;

  constructor(code: AudioStoreErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** A file that is appended to, piece by piece. */
export interface DurableFile {
  /** Durable bytes. */
  readonly bytes: number;
  /** Resolves once the bytes would survive a crash. @throws AudioStoreError `storage_full`, `io_failed` */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** What making the files of a session gave. */
export type FinishedAudio = {
  /** Of the packets, lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly seconds: number;
  readonly peaks: Uint8Array;
  /** Path of the WAV, as `localfile` keeps it. */
  readonly localfile: string;
};

/** Where audio is kept on the phone. */
export interface AudioStore {
  /** Opens, or creates, the temporary file; cut back to a multiple of `chunkBytes`. */
  openPackets(id: string, chunkBytes: number): Promise<DurableFile>;
  /** Drops the temporary file. */
  discardPackets(id: string): Promise<void>;
  /** Opens, or creates, the file of a download: a stored file as it comes from the cloud. */
  openDownload(id: string): Promise<DurableFile>;
  /** What was downloaded so far; null when nothing was. */
  download(id: string): Promise<Blob | null>;
  /**
   * Makes the temporary file of packets from a download that is a recorder's Ogg Opus; the download stays.
   * @throws AudioStoreError `file_missing`, `not_audio` (anything but whole packets of the recorder's size),
   *   `storage_full`, `io_failed`
   */
  unpack(id: string): Promise<void>;
  discardDownload(id: string): Promise<void>;
  /**
   * Makes master, WAV, hash and peaks from the temporary file, durably, and keeps the temporary file.
   * Idempotent. One that fails leaves neither master nor WAV.
   * @throws AudioStoreError `file_missing`, `not_audio`, `storage_full`, `io_failed`
   */
  finish(id: string, onProgress?: (fraction: number) => void): Promise<FinishedAudio>;
  /** The master, for uploading; null when it is not here. */
  master(id: string): Promise<Blob | null>;
  /** The WAV, for playing; null when it is not here. */
  wave(id: string): Promise<Blob | null>;
  /** Drops everything of a recording. */
  remove(id: string): Promise<void>;
}

/** The part of an {@link AudioStore} that reading sessions from a recorder needs. */
export type SessionAudio = Pick<
  AudioStore,
  'openPackets' | 'discardPackets' | 'finish' | 'master' | 'remove'
>;

/**
 * Longer work on audio that can be watched and called off. What fails or is called off leaves no file.
 * `onProgress` hears 0–1; a `signal` that aborts makes it reject with its reason.
 */
export interface AudioWorkshop {
  /**
   * Turns a file of any kind that can be decoded into packets like a recorder's, in the temporary file.
   * @throws AudioStoreError `not_audio`, `no_sound`, `too_large`, `storage_full`, `io_failed`
   */
  convert(
    id: string,
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Makes the cleaner version of the master, beside it.
   * @returns its path, as `local_noise_file` keeps it
   * @throws AudioStoreError `file_missing`, `not_audio`, `storage_full`, `io_failed`
   */
  reduceNoise(
    id: string,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<string>;
  /** The cleaner version, for playing; null when it is not here. */
  cleaner(id: string): Promise<Blob | null>;
  removeCleaner(id: string): Promise<void>;
  /** Recordings that have a temporary file, or a cleaner version, whole or not. */
  found(): Promise<{ readonly packets: readonly string[]; readonly cleaner: readonly string[] }>;
}

/** The calls of the server that moving recordings needs. Failures are values, as the client's are. */
export interface Cloud {
  check(record: UploadFacts): Promise<CloudResult<Recording | null>>;
  /**
   * Looks now at the audio that the server holds of a recording, in its store.
   * @returns its digest, computed by the server; null when it holds none
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
   * Stores audio that one task is to hear in place of the recording's. `onProgress` 0–1.
   * @returns its address
   */
  uploadForTask(
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<CloudResult<string>>;
  /**
   * Reads the stored file of a recording from a byte on. Pieces come in order, and one is asked for only after
   * `onPiece` has resolved for the one before; it gets the size of the whole file, too. `onPiece` may reject,
   * and the call rejects with its reason.
   */
  download(
    serverId: string,
    fromByte: number,
    onPiece: (bytes: Uint8Array, size: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<CloudResult<null>>;
  createTask(serverId: string, wish: TaskWish): Promise<CloudResult<{ id: string }>>;
  /** The recordings with these ids, as far as the server knows them. */
  list(ids: readonly string[]): Promise<CloudResult<readonly ServerRow[]>>;
  task(id: string): Promise<CloudResult<Task>>;
}
/** How a recording should be transcribed. */
export type TaskWish = {
  /** BCP-47, or `auto`. */
  readonly language: string;
  /** The latest task, which is done, to have another made in its place. */
  readonly again?: string;
  /** Address of audio to hear in place of the recording's. */
  readonly audioUrl?: string;
};
export type CloudResult<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly failure: CallFailure };

/** What the server is told of a recording. */
export type UploadFacts = {
  readonly id: string;
  readonly name: string;
  readonly recSource: LocalRecord['rec_source'];
  readonly seconds: number;
  readonly sn: string;
  readonly recordedAt: string;
  /** Whether phones may have it transcribed without being asked. */
  readonly autoTranscribe: boolean;
  /** How it is drawn, 0–255 for each of its equal parts; however many there are. */
  readonly peaks: Uint8Array;
};

/** Time, to be replaced in tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Something worth a line in the app's log. Never titles, texts or addresses. */
export type Log = (event: string, facts?: Readonly<Record<string, string | number>>) => void;
