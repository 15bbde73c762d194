import { PacketDecoder } from '../convert.ts';
import { AudioFailure } from '../failure.ts';
import { samplesOf } from '../format.ts';
import { OggOpusReader } from '../ogg/index.ts';
import type { OpusModule } from '../opus/index.ts';
import type { SampleReader } from './sample-reader.ts';

/**
 * Packets held back undecoded: the last page says where the audio ends, and its packets, which are at most so many
 * (RFC 3533, section 6), may go beyond that.
 */
const HELD_PACKETS = 255;

/** Packets decoded at a time: at 120 ms, the longest there are, 123 kB of samples. */
const BATCH_PACKETS = 32;

/** The samples of an Ogg Opus file, as {@link SampleReader}: mono whatever its channels. */
export class OggSamples implements SampleReader {
  readonly #opus: OpusModule;
  readonly #reader = new OggOpusReader();
  #decoder: PacketDecoder | null = null;
  #held: Uint8Array[] = [];
  #given = 0;

  constructor(opus: OpusModule) {
    this.#opus = opus;
  }

  /** @throws AudioFailure `not-ogg`, `not-opus`, `page-corrupt`, `opus-invalid` */
  *push(bytes: Uint8Array): Generator<Int16Array> {
    for (const packets of this.#reader.pages(bytes)) {
      this.#held.push(...packets);
      if (this.#held.length >= HELD_PACKETS + BATCH_PACKETS) {
        yield* this.#decode(this.#held.splice(0, this.#held.length - HELD_PACKETS));
      }
    }
    // Copies: the caller may reuse its buffer.
    this.#held = this.#held.map((packet) => new Uint8Array(packet));
  }

  /**
   * Of a file that breaks off inside a page, what came before it.
   * @throws AudioFailure `truncated` where nothing came
   */
  *end(): Generator<Int16Array> {
    try {
      this.#reader.end();
    } catch (error) {
      const early = error instanceof AudioFailure && error.code === 'truncated';
      if (!early || (this.#decoder === null && this.#held.length === 0)) throw error;
    }
    const total = samplesOf(this.#reader.granules - this.#preSkip);
    for (const samples of this.#decode(this.#held.splice(0))) {
      const before = this.#given - samples.length;
      if (before < total) yield samples.subarray(0, total - before);
    }
  }

  free(): void {
    this.#decoder?.free();
    this.#decoder = null;
  }

  *#decode(packets: readonly Uint8Array[]): Generator<Int16Array> {
    this.#decoder ??= new PacketDecoder(this.#opus, samplesOf(this.#preSkip));
    for (let at = 0; at < packets.length; at += BATCH_PACKETS) {
      const samples = this.#decoder.pushPackets(packets.slice(at, at + BATCH_PACKETS));
      this.#given += samples.length;
      yield samples;
    }
  }

  get #preSkip(): number {
    return this.#reader.head?.preSkip ?? 0;
  }
}
