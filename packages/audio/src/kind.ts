/** Defines the kinds of audio files that Linnet stores, and detects them by content. */
import { startsWith } from './ogg/packets.ts';
import { FLAG_FIRST, pageLength } from './ogg/page.ts';
import { findFormat, findLayout } from './samples/chunk-layout.ts';
import { readWaveFields } from './samples/pcm-format.ts';

export type AudioKindId =
  | 'opus'
  | 'wave'
  | 'g711'
  | 'mp3'
  | 'mp4'
  | 'aac'
  | 'flac'
  | 'vorbis'
  | 'webm';

/** A codec, named as in WebCodecs and mediabunny, without the profile. */
export type AudioCodec = 'mp3' | 'aac' | 'flac' | 'vorbis' | 'opus';

export type AudioKind = {
  readonly id: AudioKindId;
  readonly name: string;
  /** The file extension of stored files. */
  readonly ext: string;
  /** Other file extensions for this kind. */
  readonly otherExts?: readonly string[];
  /** The media types. Files are served with the first media type. */
  readonly mediaTypes: readonly [string, ...string[]];
  /** How the server decodes this kind: with Linnet's own code, or with an ffmpeg demuxer and codecs. */
  readonly decoder:
    | { readonly by: 'linnet' }
    | {
        readonly by: 'ffmpeg';
        /** The ffmpeg demuxer's name. */
        readonly demuxer: string;
        readonly codecs: readonly [AudioCodec, ...AudioCodec[]];
      };
};

const byLinnet = { by: 'linnet' } as const;

/**
 * All kinds. Limited to kinds that browsers can play, because a phone that didn't import a file plays it from the
 * server.
 */
export const audioKinds = {
  opus: {
    id: 'opus',
    name: 'Ogg Opus',
    ext: 'ogg',
    otherExts: ['opus', 'oga'],
    mediaTypes: ['audio/ogg', 'application/ogg', 'audio/opus'],
    decoder: byLinnet,
  },
  wave: {
    id: 'wave',
    name: 'WAV',
    ext: 'wav',
    otherExts: ['wave'],
    mediaTypes: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
    decoder: byLinnet,
  },
  /** WAV with telephony samples, A-law or μ-law (ITU-T G.711). */
  g711: {
    id: 'g711',
    name: 'WAV (G.711)',
    ext: 'wav',
    mediaTypes: ['audio/wav'],
    decoder: byLinnet,
  },
  mp3: {
    id: 'mp3',
    name: 'MP3',
    ext: 'mp3',
    mediaTypes: ['audio/mpeg', 'audio/mp3'],
    decoder: { by: 'ffmpeg', demuxer: 'mp3', codecs: ['mp3'] },
  },
  mp4: {
    id: 'mp4',
    name: 'M4A',
    ext: 'm4a',
    otherExts: ['mp4', 'm4b', '3gp'],
    mediaTypes: ['audio/mp4', 'audio/x-m4a', 'audio/m4a'],
    decoder: { by: 'ffmpeg', demuxer: 'mov', codecs: ['aac', 'mp3', 'opus'] },
  },
  /** AAC in ADTS frames. */
  aac: {
    id: 'aac',
    name: 'AAC',
    ext: 'aac',
    mediaTypes: ['audio/aac', 'audio/aacp', 'audio/x-aac'],
    decoder: { by: 'ffmpeg', demuxer: 'aac', codecs: ['aac'] },
  },
  flac: {
    id: 'flac',
    name: 'FLAC',
    ext: 'flac',
    mediaTypes: ['audio/flac', 'audio/x-flac'],
    decoder: { by: 'ffmpeg', demuxer: 'flac', codecs: ['flac'] },
  },
  /** Ogg with any other codec that browsers play, or with more than two channels of Opus. */
  vorbis: {
    id: 'vorbis',
    name: 'Ogg Vorbis',
    ext: 'ogg',
    mediaTypes: ['audio/ogg'],
    decoder: { by: 'ffmpeg', demuxer: 'ogg', codecs: ['vorbis', 'flac', 'opus'] },
  },
  webm: {
    id: 'webm',
    name: 'WebM',
    ext: 'webm',
    otherExts: ['weba'],
    mediaTypes: ['audio/webm'],
    decoder: { by: 'ffmpeg', demuxer: 'matroska', codecs: ['opus', 'vorbis'] },
  },
} as const satisfies { readonly [Id in AudioKindId]: AudioKind & { readonly id: Id } };

export const oggKind: AudioKind = audioKinds.opus;

/** The kinds that every server decodes, even if it doesn't report the kinds it supports. */
export const basicKinds: readonly string[] = ['opus', 'wave'];

/** The kinds that a server decodes without ffmpeg. */
export const linnetKinds: readonly AudioKind[] = Object.values<AudioKind>(audioKinds).filter(
  ({ decoder }) => decoder.by === 'linnet',
);

/** Number of bytes that {@link detectAudioKind} needs. Broadcast WAV files begin with 700 bytes of text. */
export const KIND_BYTES = 4096;

/** Returns the kind that is served with this media type, or null. Ogg files count as Ogg Opus. */
export function kindOfMediaType(mediaType: string): AudioKind | null {
  return (
    Object.values<AudioKind>(audioKinds).find((kind) => kind.mediaTypes[0] === mediaType) ?? null
  );
}

/**
 * Detects an audio file's kind from its content. The file may still turn out to be damaged or to use a different codec.
 * @param beginning the first {@link KIND_BYTES} bytes, or the complete file if it's smaller
 * @returns null for any other file
 */
export function detectAudioKind(beginning: Uint8Array): AudioKind | null {
  const text = (offset: number, length: number) =>
    String.fromCharCode(...beginning.subarray(offset, offset + length));
  switch (text(0, 4)) {
    case 'OggS':
      return detectOggKind(beginning);
    case 'RIFF':
      return detectWaveKind(beginning);
    case 'fLaC':
      return audioKinds.flac;
    case '\x1a\x45\xdf\xa3':
      // The EBML header contains the document type. Not all browsers play Matroska files, whose type is `matroska`.
      return text(4, 60).includes('\x42\x82\x84webm') ? audioKinds.webm : null;
  }
  // In practice, only MP3 files begin with an ID3 tag. The tag can be any size, so don't look for the first frame.
  if (text(0, 3) === 'ID3') return audioKinds.mp3;
  if (text(4, 4) === 'ftyp') return audioKinds.mp4;
  return frameKind(beginning);
}

/**
 * Returns the kind of a file that begins with an MPEG audio frame (ISO 11172-3 and 13818-7): MP3 or AAC in ADTS frames.
 */
function frameKind([first = 0, second = 0, third = 0]: Uint8Array): AudioKind | null {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  // ADTS frames have a 12-bit sync word, layer 0, and a sample rate index of at most 12.
  if ((second & 0xf6) === 0xf0) return (third & 0x3c) >> 2 <= 12 ? audioKinds.aac : null;
  const isLayer3 = (second & 0x06) === 0x02;
  const isReserved = (second & 0x18) === 0x08 || third >> 4 === 0x0f || (third & 0x0c) === 0x0c;
  return isLayer3 && !isReserved ? audioKinds.mp3 : null;
}

/** The kinds of WAV files that browsers play, by format code and bits per sample. Our readers support more. */
const waveKinds: Readonly<Record<string, AudioKind>> = {
  '1/8': audioKinds.wave,
  '1/16': audioKinds.wave,
  '1/24': audioKinds.wave,
  '1/32': audioKinds.wave,
  '3/32': audioKinds.wave,
  '6/8': audioKinds.g711,
  '7/8': audioKinds.g711,
};

function detectWaveKind(beginning: Uint8Array): AudioKind | null {
  const layout = findLayout(beginning);
  if (!layout) return null;
  const format = findFormat(layout, beginning);
  if (!format) return audioKinds.wave;
  const fields = readWaveFields(format);
  return (fields && waveKinds[`${fields.code}/${fields.bits}`]) ?? null;
}

/**
 * The kinds of Ogg streams, by the beginning of their first packet. The first entry found in a file determines its
 * kind.
 */
const oggStreams: readonly { readonly packet: string; readonly kind: AudioKind }[] = [
  { packet: 'OpusHead', kind: audioKinds.opus },
  { packet: '\x01vorbis', kind: audioKinds.vorbis },
  { packet: '\x7fFLAC', kind: audioKinds.vorbis },
];

/**
 * Returns the kind of an Ogg file. Such a file begins with the first page of each of its streams (RFC 3533, section 6).
 */
function detectOggKind(beginning: Uint8Array): AudioKind | null {
  const packets = firstPackets(beginning);
  for (const { packet, kind } of oggStreams) {
    const found = packets.find((bytes) => startsWith(bytes, packet));
    // More than two channels can be decoded only by ffmpeg.
    if (found) return kind === audioKinds.opus && (found[9] ?? 0) > 2 ? audioKinds.vorbis : kind;
  }
  // The first page of an Opus stream may be damaged.
  const isOpus = String.fromCharCode(...beginning).includes('OpusTags');
  return isOpus ? audioKinds.opus : null;
}

/** Returns the first packet of each stream. Each has a page to itself, and these pages precede all others. */
function firstPackets(beginning: Uint8Array): readonly Uint8Array[] {
  const packets: Uint8Array[] = [];
  for (let offset = 0; startsWith(beginning.subarray(offset), 'OggS'); ) {
    if (((beginning[offset + 5] ?? 0) & FLAG_FIRST) === 0) break;
    const [segments = 0, size = 0] = beginning.subarray(offset + 26);
    const packetOffset = offset + 27 + segments;
    packets.push(beginning.subarray(packetOffset, packetOffset + size));
    const length = pageLength(beginning, offset);
    if (length === null) break;
    offset += length;
  }
  return packets;
}
