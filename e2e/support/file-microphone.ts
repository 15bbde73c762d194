import { appendFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CALL_FRAME_BYTES, CALL_FRAME_MS } from '@linnet/audio/call';
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import {
  type CaptureListener,
  type CaptureSources,
  type Microphone,
  MicrophoneError,
  type MicrophoneErrorCode,
  type OpenMicrophone,
} from '@linnet/sync';

/** The level of both sides of a call. */
export const CALL_LEVEL = 200;

/** Returns the size of the call levels for a number of packets, in bytes. */
const levelBytes = (packets: number) =>
  Math.round((packets * PACKET_MS) / CALL_FRAME_MS) * CALL_FRAME_BYTES;

/**
 * Microphone for tests in Node. It writes the packets that a test supplies to the audio store's folder and, during a
 * call, also writes levels of {@link CALL_LEVEL}.
 */
export class FileMicrophone implements Microphone {
  readonly #folder: string;
  #current: { readonly path: string; readonly listener: CaptureListener } | null = null;
  #isPaused = false;
  /** Whether calls can be recorded from both sides. */
  supportsSharedAudio = true;
  /** The sources that the last `open` requested. */
  sources: CaptureSources | null = null;
  /** Whether opening the microphone would prompt the user. */
  willPrompt = false;
  /** The error with which the next `open` fails. */
  refusal: MicrophoneErrorCode | null = null;
  /** The error with which the next `record` fails. */
  recordFailure: MicrophoneErrorCode | null = null;
  /** Number of open microphones. */
  openCount = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async availability() {
    return { status: 'ready', willPrompt: this.willPrompt } as const;
  }

  async inputs() {
    return [];
  }

  async open(sources: CaptureSources): Promise<OpenMicrophone> {
    this.sources = sources;
    if (this.refusal) throw new MicrophoneError(this.refusal);
    this.openCount += 1;
    this.#isPaused = false;
    return {
      record: async (recordingId, listener) => {
        if (this.recordFailure) throw new MicrophoneError(this.recordFailure);
        const path = join(this.#folder, `${recordingId}.packets`);
        await writeFile(path, '', { flag: 'a' });
        const { size } = await stat(path);
        const bytes = Math.floor(size / PACKET_BYTES) * PACKET_BYTES;
        await truncate(path, bytes);
        if (sources.withSharedAudio) await this.#fillLevels(path);
        this.#current = { path, listener };
        return bytes;
      },
      pause: async () => {
        this.#isPaused = true;
      },
      resume: async () => {
        this.#isPaused = false;
      },
      stop: async () => {
        const path = this.#current?.path;
        this.#release();
        return path === undefined ? 0 : (await stat(path)).size;
      },
    };
  }

  /**
   * Supplies complete packets, as if they had just been recorded. While paused, they are discarded.
   * @param each packet's level, 0–255
   * @returns whether they were written
   */
  async capture(packets: Uint8Array, level = 100): Promise<boolean> {
    if (!this.#current || this.#isPaused) return false;
    const { path, listener } = this.#current;
    await appendFile(path, packets);
    const { size } = await stat(path);
    if (this.sources?.withSharedAudio) await this.#fillLevels(path);
    const levels = new Uint8Array(packets.length / PACKET_BYTES).fill(level);
    listener.onAudio({ bytes: size, packets, levels });
    return true;
  }

  /** Ends the capture, as if the microphone had been unplugged. */
  unplug(): void {
    const listener = this.#current?.listener;
    this.#release();
    listener?.onEnded('disconnected');
  }

  /** Ends the shared audio, as if the user had stopped sharing. */
  stopSharing(): void {
    this.#current?.listener.onSharingEnded();
  }

  /** Abandons the capture, as if the app had crashed. */
  crash(): void {
    this.#release();
  }

  /** Writes call levels for the full length of the packets. */
  async #fillLevels(packetsPath: string): Promise<void> {
    const { size } = await stat(packetsPath);
    const levels = Buffer.alloc(levelBytes(size / PACKET_BYTES), CALL_LEVEL);
    await writeFile(packetsPath.replace(/packets$/, 'call'), levels);
  }

  #release(): void {
    this.#current = null;
    this.openCount = 0;
  }
}
