import { createHash } from 'node:crypto';
import { PacketEncoder } from '@linnet/audio/convert';
import { PACKET_BYTES, secondsOfPackets } from '@linnet/audio/format';
import { muxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { makeScript, type SpokenWord, synthesizeScript } from '@linnet/server/testing/tones';

/** Size of an uploaded recording's packets: 1 MiB, about two minutes. */
const UPLOAD_BYTES = 1024 ** 2;
/** Length of a recording with live text, in seconds. */
const LIVE_SECONDS = 60;

/** A recording's file. */
export type LoadFile = {
  readonly blob: Blob;
  readonly sha256: string;
  readonly seconds: number;
};

/** The audio of all clients. */
export type LoadAudio = {
  /** The packets of a recording with live text. */
  readonly livePackets: Uint8Array;
  /** The words in it. */
  readonly script: readonly SpokenWord[];
  /** Returns a recording of 1 MiB. Each number has different content. */
  file(number: number): LoadFile;
};

export async function createAudio(): Promise<LoadAudio> {
  const script = makeScript(LIVE_SECONDS);
  const livePackets = await encode(synthesizeScript(script));
  const packetCount = Math.floor(UPLOAD_BYTES / PACKET_BYTES);
  const packets = new Uint8Array(packetCount * PACKET_BYTES);
  for (let offset = 0; offset < packets.length; offset += livePackets.length) {
    packets.set(livePackets.subarray(0, packets.length - offset), offset);
  }
  return {
    livePackets,
    script,
    file(number) {
      // A number in the last packet makes each file differ, but not its length.
      const filePackets = packets.slice();
      new DataView(filePackets.buffer).setUint32(filePackets.length - 4, number);
      return toFile(filePackets);
    },
  };
}

/** Returns the file of a recording. */
export function toFile(packets: Uint8Array): LoadFile {
  const bytes = new Uint8Array(muxOgg(packets));
  return {
    blob: new Blob([bytes], { type: 'audio/ogg' }),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    seconds: secondsOfPackets(packets.length),
  };
}

async function encode(samples: Int16Array): Promise<Uint8Array> {
  const encoder = new PacketEncoder(await loadOpus(readOpusWasm()));
  try {
    return Buffer.concat([encoder.push(samples), encoder.end()]);
  } finally {
    encoder.free();
  }
}
