/** Defines the kinds of audio files that Linnet stores, and detects them by content. */

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
  /** The extension of stored files. */
  readonly ext: string;
  /** The media types. The first is used to serve files. */
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
 * All kinds. Only kinds that browsers can play are included, because a phone that didn't import a file plays it from
 * the server.
 */
export const audioKinds = {
  opus: {
    id: 'opus',
    name: 'Ogg Opus',
    ext: 'ogg',
    mediaTypes: ['audio/ogg', 'application/ogg', 'audio/opus'],
    decoder: byLinnet,
  },
  wave: {
    id: 'wave',
    name: 'WAV',
    ext: 'wav',
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
  vorbis: {
    id: 'vorbis',
    name: 'Ogg Vorbis',
    ext: 'ogg',
    mediaTypes: ['audio/ogg'],
    decoder: { by: 'ffmpeg', demuxer: 'ogg', codecs: ['vorbis'] },
  },
  webm: {
    id: 'webm',
    name: 'WebM',
    ext: 'webm',
    mediaTypes: ['audio/webm'],
    decoder: { by: 'ffmpeg', demuxer: 'matroska', codecs: ['opus', 'vorbis'] },
  },
} as const satisfies { readonly [Id in AudioKindId]: AudioKind & { readonly id: Id } };

export const oggKind: AudioKind = audioKinds.opus;

/** The kinds that every server decodes, even one that doesn't report its kinds. */
export const basicKinds: readonly string[] = ['opus', 'wave'];

/** The kinds that a server decodes without ffmpeg. */
export const linnetKinds: readonly AudioKind[] = Object.values<AudioKind>(audioKinds).filter(
  ({ decoder }) => decoder.by === 'linnet',
);

/** How many bytes {@link detectAudioKind} needs. Broadcast WAV files begin with 700 bytes of text. */
export const KIND_BYTES = 4096;

/** Returns the kind that is served with this media type, or null. Ogg files count as Ogg Opus. */
export function kindOfMediaType(mediaType: string): AudioKind | null {
  return (
    Object.values<AudioKind>(audioKinds).find((kind) => kind.mediaTypes[0] === mediaType) ?? null
  );
}

/**
 * Detects an audio file's kind by its content. The file may still turn out to be damaged, or to use another codec.
 * @param beginning the first {@link KIND_BYTES} bytes, or the complete file if it's smaller
 * @returns null for any other file
 */
export function detectAudioKind(beginning: Uint8Array): AudioKind | null {
  const text = (offset: number, length: number) =>
    String.fromCharCode(...beginning.subarray(offset, offset + length));
  switch (text(0, 4)) {
    case 'OggS':
      // The first page has a header of 27 bytes, one lacing value, and the codec's first packet (RFC 3533, section 6).
      return text(28, 7) === '\x01vorbis' ? audioKinds.vorbis : audioKinds.opus;
    case 'RIFF':
      return isG711(beginning) ? audioKinds.g711 : audioKinds.wave;
    case 'fLaC':
      return audioKinds.flac;
    case '\x1a\x45\xdf\xa3':
      // The EBML header states the document type. Matroska files state `matroska`, and not all browsers play them.
      return text(4, 60).includes('\x42\x82\x84webm') ? audioKinds.webm : null;
  }
  // In practice, only MP3 files begin with an ID3 tag. The tag can be any size, so the first frame may be far away.
  if (text(0, 3) === 'ID3') return audioKinds.mp3;
  if (text(4, 4) === 'ftyp') return audioKinds.mp4;
  return frameKind(beginning);
}

/** Returns the kind of a file that begins with an MPEG audio frame (ISO 11172-3 and 13818-7): MP3 or AAC in ADTS frames. */
function frameKind([first = 0, second = 0, third = 0]: Uint8Array): AudioKind | null {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  // ADTS frames have 12 bits of sync, then the layer 0 and a sample rate index up to 12.
  if ((second & 0xf6) === 0xf0) return (third & 0x3c) >> 2 <= 12 ? audioKinds.aac : null;
  const isLayer3 = (second & 0x06) === 0x02;
  const isReserved = (second & 0x18) === 0x08 || third >> 4 === 0x0f || (third & 0x0c) === 0x0c;
  return isLayer3 && !isReserved ? audioKinds.mp3 : null;
}

/** True if a WAV file's `fmt ` chunk states A-law (6) or μ-law (7). */
function isG711(beginning: Uint8Array): boolean {
  const view = new DataView(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  for (let chunk = 12; chunk + 10 <= view.byteLength; ) {
    if (view.getUint32(chunk) === 0x666d7420)
      return [6, 7].includes(view.getUint16(chunk + 8, true));
    const size = view.getUint32(chunk + 4, true);
    // RIFF pads chunks to even sizes.
    chunk += 8 + size + (size % 2);
  }
  return false;
}
