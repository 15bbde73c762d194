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

/** A failure of the {@link AudioStore} or the {@link AudioProcessor}; `cause` holds the platform's error. */
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
  /** Number of bytes written to disk. */
  readonly bytes: number;
  /** Appends bytes. Resolves once they're on disk. @throws AudioStoreError `storage_full`, `io_failed` */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** The audio files created from a session's packets. */
export type FinishedAudio = {
  /** The SHA-256 digest of the packets, in lowercase hex. */
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
   * Returns the bytes from `from` up to `to` of the temporary file, even while it is being written, or null if some are
   * missing.
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

/** A file's size in bytes, and its digests in lowercase hex. */
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
export interface AudioProcessor {
  /** Computes a file's digests. @throws AudioStoreError `file_missing`, `io_failed` */
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
   * @returns the ID of the file's kind (`@linnet/audio/kind`), or null if it's a video or of any other kind
   * @throws AudioStoreError `not_audio`, `no_sound`, `too_large`, `file_missing`, `storage_full`, `io_failed`
   */
  convert(
    id: string,
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<{ readonly kind: string | null }>;
  /**
   * Concatenates the packets of finished recordings in the temporary file of a new one.
   * @param parts the recordings' IDs, whose Ogg Opus files are on the phone
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
  /** Returns the IDs of recordings that have a temporary file or a denoised version, including incomplete files. */
  list(): Promise<{ readonly packets: readonly string[]; readonly denoised: readonly string[] }>;
}
