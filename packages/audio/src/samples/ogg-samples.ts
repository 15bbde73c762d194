import { PacketDecoder } from '../convert.ts';
import { AudioFailure } from '../failure.ts';
import { samplesOf } from '../format.ts';
import { OggOpusReader } from '../ogg/index.ts';
import type { OpusModule } from '../opus/index.ts';
import type { SampleReader } from './sample-reader.ts';

/**
 * This many packets aren't decoded until the end of the file is reached: the last page states where the audio ends,
 * which may be before its packets end. A page has at most 255 packets (RFC 3533, section 6).
 */
const HELD_BACK_PACKETS = 255;

/** Packets to decode at a time. They yield up to 123 kB of samples, as a packet has at most 120 ms. */
const BATCH_PACKETS = 32;

/** Reads the samples of an Ogg Opus file. Stereo files are mixed to mono. */
export class OggSamples implements SampleReader {
  readonly #opus: OpusModule;
  readonly #reader = new OggOpusReader();
  #decoder: PacketDecoder | null = null;
  #heldBack: Uint8Array[] = [];
  #decodedSamples = 0;

  constructor(opus: OpusModule) {
    this.#opus = opus;
  }

  /** @throws AudioFailure `not-ogg`, `not-opus`, `page-corrupt`, `opus-invalid` */
  *push(bytes: Uint8Array): Generator<Int16Array> {
    for (const packets of this.#reader.pages(bytes)) {
      this.#heldBack.push(...packets);
      if (this.#heldBack.length >= HELD_BACK_PACKETS + BATCH_PACKETS) {
        yield* this.#decode(this.#heldBack.splice(0, this.#heldBack.length - HELD_BACK_PACKETS));
      }
    }
    // Copy the packets, because the caller may reuse its buffer.
    this.#heldBack = this.#heldBack.map((packet) => new Uint8Array(packet));
  }

  /**
   * Yields the last samples. If the file ends within a page, reads up to the previous page.
   * @throws AudioFailure `truncated` if there is no complete page of audio
   */
  *end(): Generator<Int16Array> {
    try {
      this.#reader.end();
    } catch (error) {
      const isTruncated = error instanceof AudioFailure && error.code === 'truncated';
      if (!isTruncated || (this.#decoder === null && this.#heldBack.length === 0)) throw error;
    }
    const total = samplesOf(this.#reader.granules - this.#preSkip);
    for (const samples of this.#decode(this.#heldBack.splice(0))) {
      const startSample = this.#decodedSamples - samples.length;
      if (startSample < total) yield samples.subarray(0, total - startSample);
    }
  }

  free(): void {
    this.#decoder?.free();
    this.#decoder = null;
  }

  *#decode(packets: readonly Uint8Array[]): Generator<Int16Array> {
    this.#decoder ??= new PacketDecoder(this.#opus, samplesOf(this.#preSkip));
    for (let offset = 0; offset < packets.length; offset += BATCH_PACKETS) {
      const samples = this.#decoder.pushPackets(packets.slice(offset, offset + BATCH_PACKETS));
      this.#decodedSamples += samples.length;
      yield samples;
    }
  }

  get #preSkip(): number {
    return this.#reader.head?.preSkip ?? 0;
  }
}
