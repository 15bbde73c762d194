import { describe, expect, it } from 'vitest';
import { recordingDate } from './recording-date.ts';

const now = new Date(2026, 10, 28);
const local = new Date(2026, 10, 27, 10, 15, 30);
const localMinute = new Date(2026, 10, 27, 10, 15);
const utc = new Date('2026-11-27T10:15:30Z');

const readDate = (content: string, name = 'Talk.bin') => {
  const file = new Uint8Array(Buffer.from(content, 'latin1'));
  return recordingDate(
    async (start, length) => file.subarray(start, start + length),
    file.length,
    name,
    now,
  );
};

const u32 = (value: number, littleEndian = false) => {
  const bytes = Buffer.alloc(4);
  if (littleEndian) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes.toString('latin1');
};
const wave = (id: string, body: string) =>
  `RIFF${u32(9e5, true)}WAVE${id}${u32(body.length, true)}${body}`;
const bext = (date: string) =>
  wave('bext', `${'Talk'.padEnd(320, '\0')}${date}${'\0'.repeat(256)}`);
const box = (type: string, body: string) => u32(body.length + 8) + type + body;
const mp4Seconds = Date.parse('2026-11-27T10:15:30Z') / 1000 + 2_082_844_800;
const mvhd = (seconds: number) =>
  box('moov', box('mvhd', `\0\0\0\0${u32(seconds)}${'\0'.repeat(92)}`));
const mvhd64 = box('moov', box('mvhd', `\x01\0\0\0\0\0\0\0${u32(mp4Seconds)}${'\0'.repeat(92)}`));
const frame = (id: string, text: string) => `${id}${u32(text.length)}\0\0${text}`;
const id3 = (version: number, ...frames: string[]) =>
  `ID3${String.fromCharCode(version)}\0\0\0\0\x0f\x7f${frames.join('')}`;

describe('recordingDate', () => {
  it.each<[string, string, Date]>([
    ['a broadcast WAV file', bext('2026-11-2710:15:30'), local],
    ['a broadcast WAV file with other separators', bext('2026_11_2710-15-30'), local],
    ['a list of WAV tags', wave('LIST', 'INFOICRD\x14\0\0\x002026-11-27 10:15:30\0'), local],
    ['MP4', box('ftyp', 'M4A ') + mvhd(mp4Seconds), utc],
    [
      'MP4 with its header at the end',
      box('ftyp', 'M4A ') + box('mdat', 'x'.repeat(70_000)) + mvhd(mp4Seconds),
      utc,
    ],
    ['MP4 with 64-bit times', box('ftyp', 'M4A ') + mvhd64, utc],
    ['ID3 2.4', id3(4, frame('TIT2', '\x03Talk'), frame('TDRC', '\x032026-11-27T10:15:30')), local],
    [
      'ID3 2.3',
      id3(3, frame('TYER', '\x002026'), frame('TDAT', '\x002711'), frame('TIME', '\x001015')),
      localMinute,
    ],
    [
      'ID3 in UTF-16',
      id3(4, frame('TDRC', `\x01\xff\xfe${[...'2026-11-27T10:15'].join('\0')}\0`)),
      localMinute,
    ],
    ['Ogg', 'OggS\0\x02OpusTags\x19\0\0\0date=2026-11-27T10:15:30Z\x01', utc],
  ])('returns the date stored in %s', async (_what, content, expected) => {
    expect(await readDate(content)).toEqual(expected);
    expect(await readDate(content, '20200101_000000.wav')).toEqual(expected);
  });

  it.each([
    ['20261127_101530.m4a', local],
    ['20261127101530.wav', local],
    ['REC 2026-11-27 10-15-30.m4a', local],
    ['Recording 2026-11-27 at 10.15.30.m4a', local],
    ['2026-11-27T10_15_30.ogg', local],
    ['251127_1015.mp3', new Date(2025, 10, 27, 10, 15)],
    ['251127_101530.wav', new Date(2025, 10, 27, 10, 15, 30)],
    ['AUD-20261127-1015.opus', localMinute],
    ['Call +4915112345678.m4a', null],
    ['Voice 001 2026-11-27.m4a', null],
    ['20261327_101530.m4a', null],
    ['20260230_101530.m4a', null],
    ['20261127_251530.m4a', null],
    ['20261127_1015301.m4a', null],
    ['19700101_000000.m4a', null],
    ['20310101_000000.m4a', null],
    ['Talk.m4a', null],
  ])('reads the date from the file name %s, if it contains one', async (name, expected) => {
    expect(await readDate('', name)).toEqual(expected);
  });

  it.each([
    ['no content', ''],
    ['an MP4 file without a date', box('ftyp', 'M4A ') + mvhd(0)],
    ['an MP4 file with a box of no size', `${box('ftyp', 'M4A ')}${'\0'.repeat(90)}`],
    ['a truncated MP4 file', box('ftyp', 'M4A ') + mvhd(mp4Seconds).slice(0, 20)],
    ['a date in the future', bext('2031-01-0110:15:30')],
    ['a date without a time', id3(4, frame('TDRC', '\x032026'))],
    ['an empty date', bext('\0'.repeat(18))],
  ])('finds no date in %s, and falls back to the file name', async (_what, content) => {
    expect(await readDate(content)).toBeNull();
    expect(await readDate(content, '20261127_101530.m4a')).toEqual(local);
  });
});
