import { CHUNK_BYTES, secondsOfPackets } from '@linnet/audio/format';
import { SessionFileBuilder, type SessionPiece } from '@linnet/audio/session-file';
import type { FinishedAudio } from '@linnet/sync';
import { type AudioFileKind, filePath } from './audio-folder.ts';
import {
  canRename,
  FileAppender,
  type Handle,
  loadCodec,
  openHandle,
  removeFile,
  renameFile,
  store,
  writeAll,
} from './audio-handles.worker.ts';

type FinishedKind = 'ogg' | 'wav';
const finishedKinds: readonly FinishedKind[] = ['ogg', 'wav'];

/**
 * Returns the kind that a file is stored as until it is complete. If the browser can't rename files, that is its final
 * kind.
 */
const kindInProgress = (kind: FinishedKind): AudioFileKind => (canRename ? `${kind}.part` : kind);

/** Deletes the finished files of a session. */
export async function removeFinished(id: string): Promise<void> {
  for (const kind of finishedKinds) await removeFile(id, kind);
}

/** Deletes the incomplete files of a session. */
export async function removeIncomplete(id: string): Promise<void> {
  for (const kind of finishedKinds) await removeFile(id, kindInProgress(kind));
}

/** A file that is being written. */
type OpenFile = { readonly handle: Handle; readonly appender: FileAppender };
type OpenFiles = Readonly<Record<FinishedKind, OpenFile>>;
type Sizes = Readonly<Record<FinishedKind, number>>;

/**
 * Converts a session's packets in one pass to an Ogg file for uploading and a WAV file for playback. If files can be
 * renamed ({@link canRename}), a conversion can start while packets are still being received. It can be suspended and
 * resumed.
 */
export class SessionConversion {
  readonly id: string;
  readonly #maker: SessionFileBuilder;
  #bytes = 0;
  #files: OpenFiles | null = null;
  /** The sizes of the files when they were last closed. */
  #sizes: Sizes = { ogg: 0, wav: 0 };

  private constructor(id: string, maker: SessionFileBuilder) {
    this.id = id;
    this.#maker = maker;
  }

  /** @throws DOMException if the files can't be created or are in use by another tab */
  static async start(id: string): Promise<SessionConversion> {
    const conversion = new SessionConversion(id, new SessionFileBuilder(await loadCodec()));
    conversion.#write(await conversion.#open(), conversion.#maker.begin());
    return conversion;
  }

  /** Number of packet bytes converted so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Converts the next chunks.
   * @throws AudioFailure `opus-invalid`, `truncated`
   * @throws DOMException `QuotaExceededError` if storage is full
   */
  advance(packets: Handle, chunks: number): void {
    if (!this.#files) throw new DOMException('The conversion is suspended.', 'InvalidStateError');
    const buffer = new Uint8Array(CHUNK_BYTES * chunks);
    const bytesRead = packets.read(buffer, { at: this.#bytes });
    if (bytesRead === 0) return;
    this.#write(this.#files, this.#maker.push(buffer.subarray(0, bytesRead)));
    this.#bytes += bytesRead;
  }

  /**
   * Closes the files, so that another tab can convert the session.
   * @throws DOMException `QuotaExceededError` if storage is full
   */
  suspend(): void {
    if (!this.#files) return;
    const { ogg, wav } = this.#files;
    try {
      ogg.appender.end();
      wav.appender.end();
      this.#sizes = { ogg: ogg.appender.size, wav: wav.appender.size };
    } finally {
      this.#close();
    }
  }

  /**
   * Reopens the files.
   * @returns false if they have changed since
   * @throws DOMException if the files are in use by another tab
   */
  async resume(): Promise<boolean> {
    if (this.#files) return true;
    const { ogg, wav } = await this.#open();
    return ogg.appender.size === this.#sizes.ogg && wav.appender.size === this.#sizes.wav;
  }

  /**
   * Completes the files.
   * @throws DOMException `QuotaExceededError` if storage is full
   */
  async finish(): Promise<FinishedAudio> {
    const { ogg, wav } = this.#files ?? (await this.#open());
    const { facts, waveHeader, ogg: last } = this.#maker.end();
    ogg.appender.append(last);
    ogg.appender.end();
    wav.appender.end();
    writeAll(wav.handle, waveHeader, 0);
    wav.handle.flush();
    this.#close();
    for (const kind of finishedKinds) {
      if (canRename) await renameFile(this.id, kindInProgress(kind), kind);
    }
    return {
      sha256: facts.sha256,
      bytes: this.#bytes,
      seconds: secondsOfPackets(this.#bytes),
      peaks: facts.peaks,
      localfile: filePath(store, this.id, 'wav'),
    };
  }

  /** Aborts an incomplete conversion and deletes its files. */
  async discard(): Promise<void> {
    this.#close();
    this.#maker.free();
    await removeIncomplete(this.id);
  }

  /** Opens the files and truncates them to their sizes when they were last closed. */
  async #open(): Promise<OpenFiles> {
    const ogg = await this.#openFile('ogg');
    try {
      this.#files = { ogg, wav: await this.#openFile('wav') };
      return this.#files;
    } catch (error) {
      ogg.handle.close();
      throw error;
    }
  }

  async #openFile(kind: FinishedKind): Promise<OpenFile> {
    const handle = await openHandle(this.id, kindInProgress(kind), true);
    const size = Math.min(handle.getSize(), this.#sizes[kind]);
    return { handle, appender: new FileAppender(handle, size) };
  }

  #write({ ogg, wav }: OpenFiles, piece: SessionPiece): void {
    ogg.appender.append(piece.ogg);
    wav.appender.append(piece.wave);
  }

  #close(): void {
    for (const kind of finishedKinds) this.#files?.[kind].handle.close();
    this.#files = null;
  }
}
