import { PacketDecoder } from '../convert.ts';
import { toSamples } from '../format.ts';
import { type OggAudioPage, OggScanner } from '../ogg/index.ts';
import type { OpusModule } from '../opus/index.ts';
import type { SampleReader } from './sample-reader.ts';

/** Number of packets to decode at a time. They yield up to 123 kB of samples, because a packet lasts at most 120 ms. */
const BATCH_PACKETS = 32;
/** Number of silent samples to yield at a time. */
const BATCH_SAMPLES = 61_440;

/**
 * Reads the samples of an Ogg file with Opus audio. Stereo is mixed down to mono. Consecutive streams (chain links) are
 * read as one recording. Damaged pages are replaced by silence of the same duration, unless they're the last pages of
 * their stream.
 */
export class OggSamples implements SampleReader {
  readonly #opus: OpusModule;
  readonly #scanner = new OggScanner();
  #decoder: PacketDecoder | null = null;
  /**
   * The newest page, held back until the next page arrives, because a stream's audio may end before the packets of its
   * last page do.
   */
  #heldPage: OggAudioPage | null = null;
  /** Number of samples of the current stream that have been yielded. */
  #yielded = 0;

  constructor(opus: OpusModule) {
    this.#opus = opus;
  }

  /** @throws AudioFailure as for {@link OggScanner.push}, or `opus-invalid` for a packet that isn't Opus */
  *push(bytes: Uint8Array): Generator<Int16Array> {
    for (const page of this.#scanner.push(bytes)) yield* this.#add(page);
    if (!this.#heldPage) return;
    // Copy the packets, because the caller may reuse its buffer.
    const packets = this.#heldPage.packets.map((packet) => new Uint8Array(packet));
    this.#heldPage = { ...this.#heldPage, packets };
  }

  /**
   * Yields the last samples. If the last page is truncated, it is ignored.
   * @throws AudioFailure as for {@link push}, or `truncated` if there is no complete page of audio
   */
  *end(): Generator<Int16Array> {
    for (const page of this.#scanner.end()) yield* this.#add(page);
    yield* this.#endStream();
  }

  free(): void {
    this.#decoder?.free();
    this.#decoder = null;
  }

  *#add(page: OggAudioPage): Generator<Int16Array> {
    if (this.#heldPage?.link === page.link) yield* this.#decode(this.#heldPage.packets);
    else yield* this.#endStream();
    this.#decoder ??= new PacketDecoder(this.#opus, toSamples(page.link.head.preSkip));
    yield* this.#silence(this.#decoder.skip(toSamples(page.missing)));
    this.#heldPage = page;
  }

  *#endStream(): Generator<Int16Array> {
    if (!this.#heldPage) return;
    const { end, link, packets } = this.#heldPage;
    const total = toSamples(end - link.head.preSkip);
    for (const samples of this.#decode(packets)) {
      const startSample = this.#yielded - samples.length;
      if (startSample < total) yield samples.subarray(0, total - startSample);
    }
    this.#heldPage = null;
    this.#yielded = 0;
    this.free();
  }

  *#decode(packets: readonly Uint8Array[]): Generator<Int16Array> {
    for (let offset = 0; offset < packets.length; offset += BATCH_PACKETS) {
      const samples = this.#decoder?.pushPackets(packets.slice(offset, offset + BATCH_PACKETS));
      if (!samples) return;
      this.#yielded += samples.length;
      yield samples;
    }
  }

  *#silence(count: number): Generator<Int16Array> {
    for (let remaining = count; remaining > 0; remaining -= BATCH_SAMPLES) {
      const samples = new Int16Array(Math.min(remaining, BATCH_SAMPLES));
      this.#yielded += samples.length;
      yield samples;
    }
  }
}
