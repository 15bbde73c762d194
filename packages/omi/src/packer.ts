/**
 * Converts an Omi's packets to the format of recordings: 160-byte Opus packets of 20 ms. Opus frames are preserved bit
 * for bit: one frame of 20 ms or two of 10 ms form a padded packet (RFC 6716, section 3.2.5). PCM and µ-law are
 * encoded. Gaps become silence of the same length.
 */
import { PacketDecoder, PacketEncoder } from '@linnet/audio/convert';
import { PACKET_BYTES, PACKET_MS, SAMPLE_RATE } from '@linnet/audio/format';
import type { OpusModule } from '@linnet/audio/opus';
import { createMonoStream } from '@linnet/audio/resample';
import { type OmiCodec, omiCodec, packetMs } from './codecs.ts';
import type { AudioItem } from './packets.ts';
import { decodeSamples } from './samples.ts';

/** Converts the packets of one recording in order. */
export type Packer = {
  /** Adds packets and gaps. Returns the packets completed by them. */
  push(items: readonly AudioItem[]): Uint8Array<ArrayBuffer>;
  /** Returns the last packets and frees the codec. */
  end(): Uint8Array<ArrayBuffer>;
};

/** Converts the audio of recordings. */
export type Packers = {
  /**
   * Converts consecutive audio of a recording.
   * @param codec the ID of a known codec. If it changes, the audio continues with the new one.
   * @param isLast true at the end of the recording
   */
  pack(
    recordId: string,
    codec: number,
    items: readonly AudioItem[],
    isLast: boolean,
  ): Uint8Array<ArrayBuffer>;
};

export function createPackers(opus: OpusModule): Packers {
  const packers = new Map<string, { readonly codec: number; readonly packer: Packer }>();
  return {
    pack(recordId, id, items, isLast) {
      const codec = omiCodec(id);
      if (!codec) throw new RangeError(`codec ${id}`);
      const before = packers.get(recordId);
      const finished = before && before.codec !== id ? before.packer.end() : new Uint8Array();
      const packer = before?.codec === id ? before.packer : createPacker(codec, opus);
      packers.set(recordId, { codec: id, packer });
      const packed = packer.push(items);
      if (!isLast) return join([finished, packed]);
      packers.delete(recordId);
      return join([finished, packed, packer.end()]);
    },
  };
}

export function createPacker(codec: OmiCodec, opus: OpusModule): Packer {
  return codec.format === 'opus'
    ? new OpusPacker(codec, opus)
    : new SamplePacker(codec, codec.format, opus);
}

/** The frame of a silent packet in Opus's CELT mode, valid for any bandwidth and duration. */
const SILENT_FRAME = Uint8Array.of(0xff, 0xfe);
/** The lowest configuration of CELT mode (RFC 6716, table 2). */
const FIRST_CELT_CONFIG = 16;
/** The wideband configurations of CELT mode, by duration in milliseconds. */
const SILENT_CONFIGS: Readonly<Record<number, number>> = { 10: 22, 20: 23 };

/** The flags of a packet with any number of frames (RFC 6716, section 3.2.5). */
const ANY_FRAMES = 3;
const IS_PADDED = 0x40;
const HAS_SIZES = 0x80;
/** The minimum size of frames with a second size byte. */
const LONG_FRAME = 252;

/** Number of packets to decode before one that is reencoded, so that the decoder has settled. */
const HISTORY = 10;

function sizeBytes(size: number): number[] {
  if (size < LONG_FRAME) return [size];
  const low = LONG_FRAME + (size & 3);
  return [low, (size - low) >> 2];
}

/**
 * Combines the frames of code 0 packets in one packet of {@link PACKET_BYTES}.
 * @param packets one packet, or two with the same configuration
 * @returns null if they don't fit
 */
export function padPackets(packets: readonly Uint8Array[]): Uint8Array<ArrayBuffer> | null {
  const [first, second] = packets;
  if (!first || first.length < 1 || packets.length > 2) return null;
  const toc = first[0] as number;
  const isPlain = packets.every((packet) => packet[0] === toc && (toc & 3) === 0);
  if (!isPlain) return null;
  if (!second && first.length === PACKET_BYTES) return first.slice();
  const sizes = second ? sizeBytes(first.length - 1) : [];
  const frames = packets.map((packet) => packet.subarray(1));
  const usedBytes = 2 + sizes.length + frames.reduce((total, { length }) => total + length, 0);
  const unused = PACKET_BYTES - usedBytes;
  if (unused < 0) return null;
  const flags = packets.length | (second ? HAS_SIZES : 0) | (unused > 0 ? IS_PADDED : 0);
  const packed = new Uint8Array(PACKET_BYTES);
  // The byte with the padding length is itself part of the rest.
  const header = [toc | ANY_FRAMES, flags, ...(unused > 0 ? [unused - 1] : []), ...sizes];
  packed.set(header);
  let offset = header.length;
  for (const frame of frames) {
    packed.set(frame, offset);
    offset += frame.length;
  }
  return packed;
}

class OpusPacker implements Packer {
  readonly #opus: OpusModule;
  readonly #ms: number;
  /** Packets that don't add up to 20 ms yet. */
  #waiting: Uint8Array[] = [];
  #history: Uint8Array[] = [];
  #toc: number;

  constructor(codec: OmiCodec, opus: OpusModule) {
    this.#opus = opus;
    this.#ms = packetMs(codec);
    this.#toc = (SILENT_CONFIGS[this.#ms] ?? FIRST_CELT_CONFIG) << 3;
  }

  push(items: readonly AudioItem[]): Uint8Array<ArrayBuffer> {
    const packed: Uint8Array[] = [];
    for (const item of items) {
      if (item.type === 'packet') {
        const toc = (item.bytes[0] ?? 0) & ~3;
        if (toc >> 3 >= FIRST_CELT_CONFIG) this.#toc = toc;
        packed.push(...this.#add(item.bytes));
      } else {
        for (let index = 0; index < item.packets; index += 1) packed.push(...this.#addSilence());
      }
    }
    return join(packed);
  }

  end(): Uint8Array<ArrayBuffer> {
    const packed: Uint8Array[] = [];
    while (this.#waiting.length > 0) packed.push(...this.#addSilence());
    return join(packed);
  }

  #addSilence(): Uint8Array[] {
    return this.#add(Uint8Array.of(this.#toc, ...SILENT_FRAME));
  }

  #add(packet: Uint8Array): Uint8Array[] {
    this.#waiting.push(packet);
    if (this.#waiting.length * this.#ms < PACKET_MS) return [];
    const waitingPackets = this.#waiting;
    this.#waiting = [];
    const packed = padPackets(waitingPackets) ?? this.#encodeAgain(waitingPackets);
    this.#history = [...this.#history, ...waitingPackets].slice(-HISTORY);
    return [packed];
  }

  /**
   * Decodes packets and encodes them as one. Needed only for packets that don't fit, which are rare at an Omi's bit
   * rate of 32 kbit/s.
   */
  #encodeAgain(packets: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
    const decoder = new PacketDecoder(this.#opus, 0);
    const encoder = new PacketEncoder(this.#opus);
    try {
      const pcm = decoder.pushPackets([...this.#history, ...packets]);
      const encoded = join([encoder.push(pcm), encoder.end()]);
      // The encoder delays the audio by less than one packet, and `end` adds that packet.
      const last = Math.floor(pcm.length / ((SAMPLE_RATE * PACKET_MS) / 1000)) - 1;
      return encoded.slice(last * PACKET_BYTES, (last + 1) * PACKET_BYTES);
    } finally {
      decoder.free();
      encoder.free();
    }
  }
}

class SamplePacker implements Packer {
  readonly #codec: OmiCodec;
  readonly #format: 'pcm' | 'mulaw';
  readonly #encoder: PacketEncoder;
  readonly #resampler: ReturnType<typeof createMonoStream>;

  constructor(codec: OmiCodec, format: 'pcm' | 'mulaw', opus: OpusModule) {
    this.#codec = codec;
    this.#format = format;
    this.#encoder = new PacketEncoder(opus);
    this.#resampler = createMonoStream(1, codec.sampleRate, SAMPLE_RATE);
  }

  push(items: readonly AudioItem[]): Uint8Array<ArrayBuffer> {
    return join(
      items.map((item) => {
        const samples =
          item.type === 'packet'
            ? decodeSamples(this.#format, item.bytes)
            : new Int16Array(item.packets * this.#codec.samples);
        return this.#encoder.push(this.#resampler.push(samples));
      }),
    );
  }

  end(): Uint8Array<ArrayBuffer> {
    try {
      return join([this.#encoder.push(this.#resampler.end()), this.#encoder.end()]);
    } finally {
      this.#encoder.free();
    }
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
