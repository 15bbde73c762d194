/** Creates malicious audio files for the decoder tests. */
import { writePage } from '@linnet/audio/ogg';
import { createWave } from './odd-audio.ts';

/** A crafted file: small to upload but expensive to decode, or unreadable. */
export interface Bomb {
  readonly description: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const serial = 99;
const ascii = (text: string) => new TextEncoder().encode(text);
const concatenate = (parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** The smallest Opus packets with the maximum duration: a TOC byte and a frame count (RFC 6716, 3.2). */
const packetsOf120Ms = [0, 1, 2, 3].flatMap((bandwidth) =>
  // A packet has either two frames of 60 ms or six frames of 20 ms.
  [
    Uint8Array.of(((bandwidth * 4 + 3) << 3) | 3, 2),
    Uint8Array.of(((16 + bandwidth * 4 + 3) << 3) | 3, 6),
  ],
);

function opusHead(channels: number): Uint8Array {
  const bytes = new Uint8Array(19);
  bytes.set(ascii('OpusHead'));
  bytes[8] = 1;
  bytes[9] = channels;
  return bytes;
}

/** Creates an Ogg Opus file from packets, 255 per page. The last page declares the given duration. */
export function createOgg(
  packets: readonly Uint8Array[],
  seconds: number,
  channels = 1,
): Uint8Array<ArrayBuffer> {
  let sequence = 0;
  const page = (granule: number, pagePackets: readonly Uint8Array[], flags = 0) =>
    writePage({ flags, granule, serial, sequence: sequence++, packets: pagePackets });
  const pages = [
    page(0, [opusHead(channels)], 2),
    page(0, [concatenate([ascii('OpusTags'), new Uint8Array(8)])]),
  ];
  for (let offset = 0; offset < packets.length; offset += 255) {
    pages.push(page(seconds * 48_000, packets.slice(offset, offset + 255)));
  }
  return concatenate(pages);
}

const many = (packet: Uint8Array, count: number) => Array.from({ length: count }, () => packet);

function oggBombs(): Bomb[] {
  const longPackets = packetsOf120Ms.map((packet, kind) => ({
    description: `Ogg: an hour of 120 ms packets of kind ${kind} that announces 3 s`,
    bytes: createOgg(many(packet, 30_000), 3, 1 + (kind % 2)),
  }));
  return [
    ...longPackets,
    {
      description: 'Ogg: packets without a byte',
      bytes: createOgg(many(new Uint8Array(), 500_000), 3),
    },
    { description: 'Ogg: a packet of a megabyte', bytes: createOgg([new Uint8Array(60_000)], 3) },
    {
      description: 'Ogg: pages without packets',
      bytes: concatenate([createOgg([], 3), ...emptyPages(50_000)]),
    },
    { description: 'Ogg: comments without an end', bytes: concatenate([...commentPages(300)]) },
    { description: 'Ogg: packets of random bytes', bytes: createOgg(randomPackets(5_000), 3) },
    {
      description: 'Ogg: announces nothing',
      bytes: createOgg(many(packetsOf120Ms[0] as Uint8Array, 30_000), 0),
    },
  ];
}

function emptyPages(count: number): Uint8Array[] {
  const page = writePage({ flags: 0, granule: 3 * 48_000, serial, sequence: 2, packets: [] });
  return Array.from({ length: count }, () => page);
}

/** Creates a file whose comment header spans all pages. */
function commentPages(count: number): Uint8Array[] {
  const head = writePage({ flags: 2, granule: 0, serial, sequence: 0, packets: [opusHead(1)] });
  const body = new Uint8Array(255 * 255);
  const fullPages = Array.from({ length: count }, (_, n) =>
    writePage({
      flags: n === 0 ? 0 : 1,
      granule: 3 * 48_000,
      serial,
      sequence: n + 1,
      packets: [body],
      continues: true,
    }),
  );
  return [head, ...fullPages];
}

function randomPackets(count: number): Uint8Array[] {
  let state = 1;
  return Array.from({ length: count }, () =>
    Uint8Array.from({ length: 40 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

/** Creates a WAV file with header changes, each given as offset, number of bytes and value. */
function waveWith(
  changes: readonly (readonly [number, 2 | 4, number])[],
  samples = 4_000_000,
  sampleRate = 16_000,
): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(createWave(new Int16Array(samples), { sampleRate }));
  for (const [offset, width, value] of changes) bytes.writeUIntLE(value, offset, width);
  return new Uint8Array(bytes);
}

function waveBombs(): Bomb[] {
  const emptyChunks = (text: string, count: number) =>
    concatenate([
      createWave(new Int16Array()).subarray(0, 36),
      ...Array.from({ length: count }, () => concatenate([ascii(text), new Uint8Array(4)])),
    ]);
  return [
    { description: 'WAV: 64 bits', bytes: waveWith([[34, 2, 64]]) },
    { description: 'WAV: no channel', bytes: waveWith([[22, 2, 0]]) },
    { description: 'WAV: 65,535 channels', bytes: waveWith([[22, 2, 65_535]]) },
    { description: 'WAV: 33 channels', bytes: waveWith([[22, 2, 33]]) },
    { description: 'WAV: no rate', bytes: waveWith([[24, 4, 0]]) },
    { description: 'WAV: 1 Hz', bytes: waveWith([[24, 4, 1]]) },
    { description: 'WAV: 4 GHz', bytes: waveWith([[24, 4, 0xffff_ffff]]) },
    { description: 'WAV: compressed', bytes: waveWith([[20, 2, 85]]) },
    { description: 'WAV: chunks of nothing without an end', bytes: emptyChunks('JUNK', 500_000) },
    { description: 'WAV: formats without an end', bytes: emptyChunks('fmt ', 500_000) },
    {
      description: 'WAV: a chunk of 4 GB',
      bytes: waveWith([
        [36, 4, 0x4b4e554a],
        [40, 4, 0xffff_fffe],
      ]),
    },
    { description: 'WAV: data of nothing', bytes: waveWith([[40, 4, 0]]) },
  ];
}

/**
 * Returns files in unsupported containers, some with misleading names, which must be rejected based on their first
 * bytes.
 */
function otherBombs(): Bomb[] {
  const large = new Uint8Array(4_000_000);
  const bombsStartingWith = (
    description: string,
    beginnings: readonly (readonly number[])[],
  ): Bomb[] =>
    beginnings.map((beginning, kind) => ({
      description: `${description} ${kind}`,
      bytes: concatenate([Uint8Array.from(beginning), large]),
    }));
  const letters = (text: string) => [...ascii(text)];
  return [
    ...bombsStartingWith('MP3', [
      [0xff, 0xfb, 0x90, 0x64],
      [0xff, 0xf3, 0x18, 0xc4],
      letters('ID3\u0004\0\0\u007f\u007f\u007f\u007f'),
      letters('ID3\u0003\0\0\0\0\0\0'),
      [0xff, 0xe0, 0, 0],
      [0xff, 0xff, 0xff, 0xff],
      [0xff, 0xfb, 0xf0, 0],
      [...letters('Xing'), 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff],
    ]),
    ...bombsStartingWith('FLAC', [
      letters('fLaC'),
      [...letters('fLaC'), 0x80, 0, 0, 34, 0xff, 0xff],
      [...letters('fLaC'), 0x84, 0xff, 0xff, 0xff],
      [...letters('fLaC'), 6, 0xff, 0xff, 0xff],
      letters('OggFLAC'),
      [...letters('OggS'), 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f],
      [...letters('fLaC'), 0, 0, 0, 0],
      [...letters('FLAC')],
    ]),
    ...bombsStartingWith('MP4 and WebM', [
      [0, 0, 0, 24, ...letters('ftypM4A ')],
      [0, 0, 0, 0, ...letters('mdat')],
      [0, 0, 0, 1, ...letters('moov'), 0xff, 0xff, 0xff, 0xff],
      [0x1a, 0x45, 0xdf, 0xa3],
      [0x1a, 0x45, 0xdf, 0xa3, 0x01, 0xff, 0xff, 0xff, 0xff],
      letters('RIFX'),
      letters('RF64'),
      [0x1f, 0x8b, 8, 0],
    ]),
  ];
}

/** Returns fifty crafted files in five container formats. */
export function bombs(): Bomb[] {
  return [...oggBombs(), ...waveBombs(), ...otherBombs()];
}
