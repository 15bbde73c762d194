import { expect, it } from 'vitest';
import { audioKinds, detectAudioKind, KIND_BYTES, kindOfMediaType } from './kind.ts';

const toBytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
/** Returns the first pages of streams that begin with these packets, followed by an empty page. */
const oggWith = (...packets: string[]) =>
  [...packets, '']
    .map((packet) => {
      const flags = packet === '' ? '\0' : '\x02';
      const lacing = packet === '' ? '\0' : `\x01${String.fromCharCode(packet.length)}`;
      return `OggS\0${flags}${'\0'.repeat(20)}${lacing}${packet}`;
    })
    .join('');
/** Returns the beginning of a WAV file whose format chunk comes after another chunk. */
const waveWith = (chunk: string, formatTag: number, bits = formatTag > 5 ? 8 : 16) =>
  `RIFF\0\0\0\0WAVE${chunk}fmt \x10\0\0\0${String.fromCharCode(formatTag)}\0\x01\0${'\0'.repeat(10)}${String.fromCharCode(bits)}\0`;

it.each([
  ['opus', oggWith('OpusHead')],
  ['opus', oggWith('fishead\0', 'OpusHead')],
  ['opus', oggWith('\x80theora', 'OpusHead')],
  // The first page is damaged.
  ['opus', `${oggWith('?pusHead')}OpusTags`],
  // Linnet decodes up to two channels.
  ['vorbis', oggWith('OpusHead\x01\x06')],
  ['vorbis', oggWith('\x01vorbis')],
  ['vorbis', oggWith('fishead\0', '\x01vorbis')],
  ['vorbis', oggWith('\x7fFLAC')],
  ['wave', waveWith('', 1)],
  ['wave', waveWith('', 1, 24)],
  ['wave', waveWith('', 3, 32)],
  // The format chunk lies beyond the bytes read.
  ['wave', 'RIFF\0\0\0\0WAVEJUNK\xff\xff\0\0'],
  ['g711', waveWith('', 6)],
  ['g711', waveWith('', 7)],
  // Chunks are padded to even sizes.
  ['g711', waveWith(`bext\x03\0\0\0${'\0'.repeat(4)}`, 7)],
  // Some writers don't pad them.
  ['g711', waveWith(`bext\x03\0\0\0${'\0'.repeat(3)}`, 7)],
  ['mp3', 'ID3\x04'],
  ['mp3', '\xff\xfb\x90\0'],
  ['mp3', '\xff\xf3\x40\0'],
  ['aac', '\xff\xf1\x50\x40'],
  ['aac', '\xff\xf9\x50\x40'],
  ['mp4', '\0\0\0\x1cftypM4A '],
  ['flac', 'fLaC\0\0\0\x22'],
  ['webm', '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm'],
])('detects the kind %s by its content', (kind, beginning) => {
  expect(detectAudioKind(toBytes(beginning))?.id).toBe(kind);
});

it.each([
  ['Matroska', '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x88matroska'],
  ['a playlist', '#EXTM3U\n'],
  ['a list of files', 'ffconcat version 1.0\n'],
  ['MPEG layer II', '\xff\xfd\x90\0'],
  ['a reserved version', '\xff\xeb\x90\0'],
  ['a reserved bit rate', '\xff\xfb\xf0\0'],
  ['a reserved sample rate', '\xff\xf1\x74\x40'],
  ['UTF-16', '\xff\xfea\0'],
  ['AMR', '#!AMR\n'],
  ['Ogg Speex', oggWith('Speex   ')],
  ['a RIFF file of a different form', 'RIFF\0\0\0\0AVI LIST'],
  ['WAV with ADPCM', waveWith('', 17, 4)],
  ['WAV with MP3', waveWith('', 0x55, 0)],
  // Browsers don't play these, so they aren't stored.
  ['WAV with 64-bit floats', waveWith('', 3, 64)],
  ['RF64', waveWith('', 1).replace('RIFF', 'RF64')],
  ['WMA', '\x30\x26\xb2\x75\x8e\x66\xcf\x11'],
  ['AIFF', 'FORM\0\0\0\0AIFF'],
  ['nothing', ''],
])('detects no supported kind in %s', (_what, beginning) => {
  expect(detectAudioKind(toBytes(beginning))).toBeNull();
});

it('stops searching a WAV file for its format, whatever the chunk sizes', () => {
  const file = toBytes(waveWith('', 7)).slice(0, 12);
  const endlessBytes = new Uint8Array(KIND_BYTES);
  endlessBytes.set(file);
  expect(detectAudioKind(endlessBytes)?.id).toBe('wave');
});

it('gives kinds distinct media types, unless they share a container', () => {
  expect(kindOfMediaType('audio/mpeg')).toBe(audioKinds.mp3);
  expect(kindOfMediaType('audio/ogg')).toBe(audioKinds.opus);
  expect(kindOfMediaType('audio/wav')).toBe(audioKinds.wave);
  expect(kindOfMediaType('text/plain')).toBeNull();
});
