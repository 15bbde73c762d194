import { PacketDecoder } from '../convert.ts';
import { AudioFailure } from '../failure.ts';
import { samplesOf } from '../format.ts';
import { OggOpusReader } from '../ogg/index.ts';
import type { OpusModule } from '../opus/index.ts';
import type { SampleReader } from './sample-reader.ts';

/**
 * Number of packets held back undecoded: the maximum of one page (RFC 3533, section 6). The last page states the end of
 * the audio, which may precede the end of its packets.
 */
const HELD_PACKETS = 255;

/** Packets decoded at a time: 123 kB of samples at the maximum packet duration of 120 ms. */
const BATCH_PACKETS = 32;

/** Reads the samples of an Ogg Opus file. The output is mono for any number of channels. */
export class OggSamples implements SampleReader {
  readonly #opus: OpusModule;
  readonly #reader = new OggOpusReader();
  #decoder: PacketDecoder | null = null;
  #held: Uint8Array[] = [];
  #decoded = 0;

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
    // Copies, because the caller may reuse its buffer.
    this.#held = this.#held.map((packet) => new Uint8Array(packet));
  }

  /**
   * Yields the last samples. A file that ends within a page is read up to that page.
   * @throws AudioFailure `truncated` if there is no complete page of audio
   */
  *end(): Generator<Int16Array> {
    try {
      this.#reader.end();
    } catch (error) {
      const isTruncated = error instanceof AudioFailure && error.code === 'truncated';
      if (!isTruncated || (this.#decoder === null && this.#held.length === 0)) throw error;
    }
    const total = samplesOf(this.#reader.granules - this.#preSkip);
    for (const samples of this.#decode(this.#held.splice(0))) {
      const before = this.#decoded - samples.length;
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
      this.#decoded += samples.length;
      yield samples;
    }
  }

  get #preSkip(): number {
    return this.#reader.head?.preSkip ?? 0;
  }
}
