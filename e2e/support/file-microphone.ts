import { appendFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKET_BYTES } from '@linnet/audio/format';
import {
  type CaptureListener,
  type Microphone,
  MicrophoneError,
  type MicrophoneErrorCode,
  type OpenMicrophone,
} from '@linnet/sync';

/** A microphone for tests in Node: it writes the packets that a test supplies to the audio store's folder. */
export class FileMicrophone implements Microphone {
  readonly #folder: string;
  #current: { readonly path: string; readonly listener: CaptureListener } | null = null;
  #isPaused = false;
  /** The failure of the next `open`. */
  refusal: MicrophoneErrorCode | null = null;
  /** The failure of the next `record`. */
  recordFailure: MicrophoneErrorCode | null = null;
  /** Number of microphones that are open. */
  openCount = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async availability() {
    return { status: 'ready', prompts: false } as const;
  }

  async inputs() {
    return [];
  }

  async open(): Promise<OpenMicrophone> {
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
   * Supplies complete packets, as if they had just been recorded. Discards them while paused.
   * @param level of each packet, 0–255
   * @returns whether they were written
   */
  async hear(packets: Uint8Array, level = 100): Promise<boolean> {
    if (!this.#current || this.#isPaused) return false;
    const { path, listener } = this.#current;
    await appendFile(path, packets);
    const { size } = await stat(path);
    const levels = new Uint8Array(packets.length / PACKET_BYTES).fill(level);
    listener.onAudio({ bytes: size, levels });
    return true;
  }

  /** Ends the capture, as if the microphone had been unplugged. */
  unplug(): void {
    const listener = this.#current?.listener;
    this.#release();
    listener?.onEnded('disconnected');
  }

  /** Forgets the capture, as a crash of the app does. */
  crash(): void {
    this.#release();
  }

  #release(): void {
    this.#current = null;
    this.openCount = 0;
  }
}
