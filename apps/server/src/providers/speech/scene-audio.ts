import { readdir, readFile } from 'node:fs/promises';
import { decodeOggToPcm, PacketDecoder } from '@linnet/audio/convert';
import { PACKET_BYTES, PACKET_SAMPLES } from '@linnet/audio/format';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';

/** Speech samples with known transcripts, from the virtual recorder. */
const SCENES = new URL('../../../../virtual-recorder/scenes/', import.meta.url);

export interface SpokenScene {
  readonly name: string;
  readonly transcript: string;
  /** Samples at 16 kHz, mono, decoded from the file in the repository. */
  readonly samples: Int16Array;
  /** Names in the transcript, as a user would enter them in the vocabulary. */
  readonly names: readonly string[];
}

/** A scene with many names that engines misrecognize without a vocabulary. `sceneNames` doesn't include it. */
export const NAMES_SCENE = 'names/harbor-office';

let opusModule: Promise<OpusModule> | undefined;
function opus(): Promise<OpusModule> {
  opusModule ??= loadOpus(readOpusWasm());
  return opusModule;
}

export async function sceneNames(): Promise<string[]> {
  const files = await readdir(SCENES);
  return files
    .filter((file) => file.endsWith('.ogg'))
    .map((file) => file.slice(0, -'.ogg'.length))
    .sort();
}

export async function readScene(name: string): Promise<SpokenScene> {
  const { transcript, names = [] } = JSON.parse(
    await readFile(new URL(`${name}.json`, SCENES), 'utf8'),
  );
  const file = await readFile(new URL(`${name}.ogg`, SCENES));
  return { name, transcript, names, samples: decodeOggToPcm(file, await opus()) };
}

/** Encodes samples as the recorder's 160-byte packets and decodes them again. */
export async function roundTripThroughOpus(samples: Int16Array): Promise<Int16Array> {
  const module = await opus();
  const encoder = module.createEncoder();
  const decoder = new PacketDecoder(module);
  try {
    const packets = Math.ceil(samples.length / PACKET_SAMPLES);
    const padded = new Int16Array(packets * PACKET_SAMPLES);
    padded.set(samples);
    const bytes = new Uint8Array(packets * PACKET_BYTES);
    for (let packet = 0; packet < packets; packet += 1) {
      const from = packet * PACKET_SAMPLES;
      const encoded = encoder.encode(padded.subarray(from, from + PACKET_SAMPLES));
      if (encoded.length !== PACKET_BYTES) {
        throw new Error(`expected a packet of ${PACKET_BYTES} bytes, got ${encoded.length}`);
      }
      bytes.set(encoded, packet * PACKET_BYTES);
    }
    return decoder.push(bytes);
  } finally {
    encoder.free();
    decoder.free();
  }
}
