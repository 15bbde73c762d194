import { PacketDecoder } from '../convert.ts';
import { AudioFailure } from '../failure.ts';
import { samplesOf } from '../format.ts';
import { OggOpusReader } from '../ogg/index.ts';
import type { OpusModule } from '../opus/index.ts';
import type { SampleReader } from './sample-reader.ts';

/** The samples of an Ogg Opus file, as {@link SampleReader}: mono whatever its channels. */
export class OggSamples implements SampleReader {
  readonly #opus: OpusModule;
  readonly #reader = new OggOpusReader();
  #decoder: PacketDecoder | null = null;
  // The last page says how long the audio is, and its packets may be longer: they are held back.
  #held: Int16Array = new Int16Array();
  #given = 0;

  constructor(opus: OpusModule) {
    this.#opus = opus;
  }

  /** @throws AudioFailure `not-ogg`, `not-opus`, `page-corrupt`, `opus-invalid` */
  push(bytes: Uint8Array): Int16Array {
    const packets = this.#reader.push(bytes);
    if (packets.length === 0) return new Int16Array();
    this.#decoder ??= new PacketDecoder(this.#opus, samplesOf(this.#preSkip));
    const ready = this.#held;
    this.#held = this.#decoder.pushPackets(packets);
    this.#given += ready.length;
    return ready;
  }

  /**
   * Of a file that breaks off inside a page, what came before it.
   * @throws AudioFailure `truncated` where nothing came
   */
  end(): Int16Array {
    try {
      this.#reader.end();
    } catch (error) {
      const early = error instanceof AudioFailure && error.code === 'truncated';
      if (!early || this.#decoder === null) throw error;
    }
    const total = samplesOf(this.#reader.granules - this.#preSkip);
    return this.#held.subarray(0, Math.max(0, total - this.#given));
  }

  free(): void {
    this.#decoder?.free();
    this.#decoder = null;
  }

  get #preSkip(): number {
    return this.#reader.head?.preSkip ?? 0;
  }
}
