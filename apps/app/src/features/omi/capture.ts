/**
 * Records an Omi's live audio. A recording continues while the Omi is out of range: once it reconnects, the missing
 * time becomes silence, as do lost packets.
 */
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import { type Writable, writable } from '@linnet/base';
import { type AudioItem, type LiveAudio, type OmiSession, packetMs } from '@linnet/omi';
import {
  AudioStoreError,
  type CaptureListener,
  type Clock,
  type DurableFile,
  type Microphone,
  MicrophoneError,
  type MicrophoneErrorCode,
  type OpenMicrophone,
  type SessionAudio,
} from '@linnet/sync';
import type { Store } from '../../ports/store.ts';

/** Converts an Omi's audio to packets in the recorder's format. See `AudioFilesApi` in the web platform. */
export type PackAudio = (
  recordId: string,
  codec: number,
  items: readonly AudioItem[],
  isLast: boolean,
) => Promise<Uint8Array>;

/** Milliseconds of audio per write. */
const WRITE_MS = 200;
/**
 * How much a loss may exceed the time in which it occurred, in milliseconds: an Omi buffers about a second. Prevents a
 * faulty recorder from making a recording arbitrarily long.
 */
const LATENCY_MS = 2000;

/** The longest connection loss that becomes silence, in milliseconds. A longer one interrupts the recording. */
const MAX_AWAY_MS = 15 * 60_000;

/** A range of the recording that is silent because its audio was lost, in milliseconds. */
export type Gap = { readonly from: number; readonly length: number };

export type OmiCaptureOptions = {
  /** The open session, or null while the Omi is out of range. */
  readonly session: Store<OmiSession | null>;
  readonly audio: Pick<SessionAudio, 'openPackets'>;
  readonly pack: PackAudio;
  /** Returns each packet's loudness, 0–255. */
  readonly levels: (recordId: string, packets: Uint8Array) => Promise<Uint8Array>;
  readonly clock: Pick<Clock, 'now'>;
  /** Called for each gap after it has been added to the recording. */
  readonly onGap: (recordId: string, gap: Gap) => void;
  readonly onError: (error: unknown) => void;
};

/** An Omi as a source of live audio. */
export type OmiCapture = Microphone & {
  /** Milliseconds lost in the recording in progress. */
  readonly lostMs: Store<number>;
};

function toErrorCode(error: unknown): MicrophoneErrorCode {
  const isFull = error instanceof AudioStoreError && error.code === 'storage_full';
  return isFull ? 'storage_full' : 'io_failed';
}

/** A piece of audio to write. */
type Piece = { readonly codec: number; readonly ms: number; readonly items: AudioItem[] };

/** A session whose audio is being received. */
type Source = { readonly session: OmiSession; isStopped: boolean; audio: LiveAudio | null };

class Recording {
  readonly #id: string;
  readonly #file: DurableFile;
  readonly #listener: CaptureListener;
  readonly #options: OmiCaptureOptions;
  readonly #lostMs: Writable<number>;
  #pieces: Piece[] = [];
  #queuedMs = 0;
  #codec: number | null = null;
  /** When the last audio arrived, in milliseconds since 1970; null before the first audio after a pause. */
  #lastAt: number | null = null;
  /** Number of packets that had arrived by then but were delivered only after the link had closed. */
  #lateCount = 0;
  /** The session that sent the last audio. */
  #lastSession: OmiSession | null = null;
  #source: Source | null = null;
  #isPaused = false;
  #hasEnded = false;
  /** Settles once all queued audio is written. */
  #writing: Promise<void> = Promise.resolve();
  readonly #unsubscribe: () => void;

  constructor(
    id: string,
    file: DurableFile,
    listener: CaptureListener,
    options: OmiCaptureOptions,
    lostMs: Writable<number>,
  ) {
    this.#id = id;
    this.#file = file;
    this.#listener = listener;
    this.#options = options;
    this.#lostMs = lostMs;
    this.#unsubscribe = options.session.subscribe(() => this.#followSession());
    this.#followSession();
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  /** Discards the audio while paused. Doesn't stop the Omi, which would store unsent audio. */
  setPaused(isPaused: boolean): void {
    this.#source?.audio?.flush();
    this.#isPaused = isPaused;
    this.#lastAt = null;
  }

  /** Writes the received audio and closes the file. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#stopSource();
    if (!this.#hasEnded) this.#write(true);
    await this.#writing;
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    await this.#file.close();
  }

  /** Returns how long ago the last audio arrived, in milliseconds. */
  #elapsed(): number {
    return this.#lastAt === null ? 0 : Math.max(0, this.#options.clock.now() - this.#lastAt);
  }

  /** Receives the audio of the open session. */
  #followSession(): void {
    const session = this.#options.session.get();
    if (!session || this.#hasEnded || this.#source?.session === session) return;
    if (this.#elapsed() > MAX_AWAY_MS) {
      void this.#interrupt();
      return;
    }
    const source: Source = { session, isStopped: false, audio: null };
    this.#source = source;
    session
      .startAudio((items) => {
        if (!source.isStopped) this.#add(session, items);
      })
      .then((audio) => {
        source.audio = audio;
        return source.isStopped ? audio.stop() : undefined;
      })
      // If the link was lost, the next session continues.
      .catch((error: unknown) => {
        if (this.#options.session.get() === session) this.#fail(error);
      });
  }

  async #stopSource(): Promise<void> {
    const source = this.#source;
    this.#source = null;
    if (!source) return;
    // Stopping delivers the last packet.
    await source.audio?.stop().catch(this.#options.onError);
    source.isStopped = true;
  }

  #add(session: OmiSession, items: readonly AudioItem[]): void {
    if (this.#hasEnded || this.#isPaused) return;
    const { codec } = session;
    const ms = packetMs(codec);
    const piece: Piece = { codec: codec.id, ms, items: [] };
    const elapsed = this.#elapsed();
    if (this.#options.session.get() !== session) {
      // The link has closed, possibly long after the last audio.
      this.#lateCount += packetCount(items);
    } else {
      if (this.#lastAt !== null && this.#lastSession !== session) {
        // Between two links, only the clock shows how much audio is missing.
        const awayMs = Math.min(elapsed, MAX_AWAY_MS);
        const missingPackets = Math.round(awayMs / ms) - packetCount(items) - this.#lateCount;
        if (missingPackets > 0)
          piece.items.push({ type: 'gap', notifications: 0, packets: missingPackets });
      }
      this.#lateCount = 0;
      this.#lastAt = this.#options.clock.now();
      this.#lastSession = session;
    }
    const limit = Math.ceil((elapsed + LATENCY_MS) / ms);
    for (const item of items) {
      const isGap = item.type === 'gap';
      piece.items.push(isGap ? { ...item, packets: Math.min(item.packets, limit) } : item);
    }
    this.#codec = codec.id;
    this.#pieces.push(piece);
    this.#queuedMs += ms * packetCount(piece.items);
    if (this.#queuedMs >= WRITE_MS) this.#write(false);
  }

  #write(isLast: boolean): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#queuedMs = 0;
    this.#writing = this.#writing
      .then(() => this.#writeNow(pieces, isLast))
      .catch((error: unknown) => this.#fail(error));
  }

  async #writeNow(pieces: readonly Piece[], isLast: boolean): Promise<void> {
    const packed: Uint8Array[] = [];
    const gaps: Gap[] = [];
    let durationMs = (this.#file.bytes / PACKET_BYTES) * PACKET_MS;
    for (const { codec, ms, items } of pieces) {
      for (const item of items) {
        const length = ms * (item.type === 'gap' ? item.packets : 1);
        if (item.type === 'gap' && length > 0) gaps.push({ from: durationMs, length });
        durationMs += length;
      }
      packed.push(await this.#options.pack(this.#id, codec, items, false));
    }
    if (isLast && this.#codec !== null) {
      packed.push(await this.#options.pack(this.#id, this.#codec, [], true));
    }
    const packets = join(packed);
    if (packets.length === 0) return;
    await this.#file.append(packets);
    const levels = await this.#options.levels(this.#id, packets);
    this.#listener.onAudio({ bytes: this.#file.bytes, packets, levels });
    for (const gap of gaps) {
      this.#lostMs.set(this.#lostMs.get() + gap.length);
      this.#options.onGap(this.#id, gap);
    }
  }

  /** Interrupts the recording after a long connection loss. The user can then continue or finish it. */
  async #interrupt(): Promise<void> {
    this.#unsubscribe();
    this.#source = null;
    this.#write(true);
    await this.#writing;
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    await this.#file.close().catch(this.#options.onError);
    this.#listener.onEnded('disconnected');
  }

  /** Interrupts the recording after a failure. All earlier audio is on disk. */
  #fail(error: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.onError(error);
    this.#unsubscribe();
    void this.#stopSource();
    void this.#file.close().catch(this.#options.onError);
    this.#listener.onEnded(toErrorCode(error));
  }
}

/** Returns the number of received and lost packets. */
function packetCount(items: readonly AudioItem[]): number {
  return items.reduce((sum, item) => sum + (item.type === 'gap' ? item.packets : 1), 0);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

export function createOmiCapture(options: OmiCaptureOptions): OmiCapture {
  const lostMs = writable(0);
  return {
    lostMs,
    supportsSharedAudio: false,
    availability: async () => ({ status: 'ready', willPrompt: false }),
    inputs: async () => [],
    async open(): Promise<OpenMicrophone> {
      if (!options.session.get()) throw new MicrophoneError('not_found');
      let recording: Recording | null = null;
      return {
        async record(id, listener) {
          try {
            const file = await options.audio.openPackets(id, PACKET_BYTES);
            lostMs.set(0);
            recording = new Recording(id, file, listener, options, lostMs);
            return file.bytes;
          } catch (cause) {
            throw new MicrophoneError(toErrorCode(cause), { cause });
          }
        },
        pause: async () => recording?.setPaused(true),
        resume: async () => recording?.setPaused(false),
        async stop() {
          await recording?.stop();
          return recording?.bytes ?? 0;
        },
      };
    },
  };
}
