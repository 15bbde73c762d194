import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { concat } from '../bytes.ts';
import { demuxOgg, muxOgg } from '../ogg/index.ts';
import { readPage, writePage } from '../ogg/page.ts';
import { recordingDate } from '../recording-date.ts';
import { parseWave, writeWave } from '../wave/index.ts';
import { type AudioTags, tagAudio } from './index.ts';
import { MAX_TEXT_BYTES } from './text.ts';

type Format = 'wav' | 'ogg' | 'mp3';
const formats: readonly Format[] = ['wav', 'ogg', 'mp3'];

const dir = mkdtempSync(join(tmpdir(), 'linnet-tags-'));
afterAll(() => rmSync(dir, { recursive: true }));

const now = new Date('2026-11-28T00:00:00Z');
const date = new Date('2026-11-20T23:15:30Z');
const samples = Int16Array.from({ length: 16_000 }, (_, n) => Math.round(9000 * Math.sin(n / 9)));
/** Fifty packets of silence. */
const packets = new Uint8Array(50 * 160).map((_, n) => (n % 160 === 0 ? 8 : 0));
/** Returns an MPEG-2 Layer III frame of silence: 64 kbit/s, 16 kHz, mono. */
function silentMp3Frame(): Uint8Array {
  const frame = new Uint8Array(288);
  frame.set([0xff, 0xf3, 0x88, 0xc4]);
  return frame;
}
const files: Record<Format, Uint8Array> = {
  wav: writeWave(samples, 16_000),
  ogg: muxOgg(packets),
  mp3: concat(Array.from({ length: 28 }, silentMp3Frame)),
};

function addTags(format: Format, file: Uint8Array, tags: AudioTags): Uint8Array<ArrayBuffer> {
  const tagged = tagAudio(format, file, tags);
  if (!tagged) throw new Error(`${format} without tags`);
  return concat([tagged.head, file.subarray(tagged.replacedBytes)]);
}

const readDate = (file: Uint8Array) =>
  recordingDate(
    async (start, length) => file.subarray(start, start + length),
    file.length,
    '',
    now,
  );

/** Returns the tags as read by ffprobe, with lowercase names, and the duration in seconds. */
function probe(format: Format, file: Uint8Array) {
  const path = join(dir, `probe.${format}`);
  writeFileSync(path, file);
  const result = spawnSync(
    'ffprobe',
    [
      '-v',
      'error',
      '-of',
      'json',
      '-show_entries',
      'format=duration:format_tags:stream_tags',
      path,
    ],
    { encoding: 'utf8' },
  );
  if (result.error) throw result.error;
  expect(result.stderr).toBe('');
  const {
    format: { duration, tags = {} },
    streams: [stream],
  } = JSON.parse(result.stdout);
  const entries = Object.entries<string>({ ...tags, ...stream.tags });
  return {
    seconds: Number(duration),
    tags: Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), text])),
  };
}

/** Text that users type, and text that they don't: emoji, Arabic, separators, chunk names, and long text. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.constantFrom('bext', 'ICRD\0\0\0\x142020-01-01 10:00:00', 'DATE=2020-01-01T10:00:00Z', 'TDRC'),
  fc.constantFrom('👩‍👩‍👧‍👦', 'اجتماع', '会議', 'a').map((text) => text.repeat(5000)),
);
const anyDate = fc.date({
  min: new Date('1995-01-01T00:00:00Z'),
  max: now,
  noInvalidDate: true,
});

describe.each(formats)('tags in a %s file', (format) => {
  it.each([
    ['Keys: where?', 'Ada, Grace'],
    ['اجتماع', 'سلمى'],
    ['会议 👩‍👩‍👧‍👦', '李雷'],
  ])('are read by other programs: %s', (title, artist) => {
    const untagged = probe(format, files[format]);
    const { tags, seconds } = probe(
      format,
      addTags(format, files[format], { title, artist, date }),
    );
    expect(tags).toMatchObject({ title, artist });
    expect(new Date(tags.date ?? '')).toEqual(date);
    expect(tags.encoder).toMatch(/Linnet/);
    expect(seconds).toBeCloseTo(untagged.seconds, 1);
  });

  it('can contain any text, and the date that an import reads', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, anyDate, async (title, artist, recorded) => {
        const file = addTags(format, files[format], { title, artist, date: recorded });
        const seconds = Math.floor(recorded.getTime() / 1000);
        expect((await readDate(file))?.getTime()).toBe(seconds * 1000);
        // The audio must not change.
        if (format === 'wav') expect(parseWave(file).samples).toEqual(samples);
        if (format === 'ogg') {
          expect(concat(demuxOgg(file).packets)).toEqual(packets);
        }
        if (format === 'mp3') {
          expect(file.subarray(file.length - files.mp3.length)).toEqual(files.mp3);
        }
      }),
    );
  });

  it('omit a blank artist', () => {
    const { tags } = probe(
      format,
      addTags(format, files[format], { title: 'Talk', artist: ' ', date }),
    );
    expect(tags.title).toBe('Talk');
    expect(tags).not.toHaveProperty('artist');
  });

  it('are truncated between characters', () => {
    const family = '👩‍👩‍👧‍👦';
    const file = addTags(format, files[format], { title: family.repeat(5000), artist: '', date });
    const { tags } = probe(format, file);
    expect(tags.title).toBe(family.repeat(Math.floor(MAX_TEXT_BYTES / Buffer.from(family).length)));
  });
});

describe.each(['wav', 'ogg'] as const)('adding tags to a tagged %s file', (format) => {
  it('replaces the previous tags', async () => {
    const first = addTags(format, files[format], { title: 'Draft', artist: 'Ada', date: now });
    const retaggedFile = addTags(format, first, { title: 'Talk', artist: '', date });
    expect(retaggedFile).toEqual(
      addTags(format, files[format], { title: 'Talk', artist: '', date }),
    );
  });
});

describe('adding tags', () => {
  const u32 = (value: number) => new Uint8Array(Uint32Array.of(value).buffer);
  const text = (value: string) => new TextEncoder().encode(value);
  const chunk = (id: string, body: Uint8Array) => concat([text(id), u32(body.length), body]);

  it('keeps the other metadata of a WAV file', async () => {
    const broadcast = new Uint8Array(610);
    broadcast.set(text('Interview by the river'));
    broadcast.set(text('2020-01-0210:11:12'), 320);
    broadcast.set(text('A=PCM'), 602);
    const list = concat([
      text('INFO'),
      chunk('ICMT', text('windy\0')),
      chunk('INAM', text('Old\0')),
    ]);
    const [root, rest] = [files.wav.subarray(0, 36), files.wav.subarray(36)];
    const chunks = [
      chunk('bext', broadcast),
      chunk('LIST', list),
      chunk('iXML', text('<BWFXML/>')),
    ];
    // The chunk before the samples has an odd length and no padding.
    const file = concat([root, ...chunks, rest]);
    const tagged = addTags('wav', file, { title: 'New', artist: '', date });
    expect(await readDate(tagged)).toEqual(date);
    const { tags } = probe('wav', tagged);
    expect(tags).toMatchObject({ title: 'New', comment: 'windy', coding_history: 'A=PCM' });
    expect(Buffer.from(tagged).includes('Interview by the river')).toBe(true);
    expect(Buffer.from(tagged).includes('<BWFXML/>')).toBe(true);
    expect(Buffer.from(tagged).includes('Old')).toBe(false);
    expect(parseWave(tagged).samples).toEqual(samples);
  });

  it('keeps the other metadata of an Ogg file', () => {
    const head = readPage(files.ogg, 0);
    const comments = readPage(files.ogg, head.end);
    const withLength = (value: string) => concat([u32(text(value).length), text(value)]);
    const packet = concat([
      text('OpusTags'),
      withLength('Other'),
      u32(2),
      ...[withLength('title=Old'), withLength('COMMENT=windy')],
    ]);
    const page = writePage({ ...comments, packets: [packet] });
    const file = concat([files.ogg.subarray(0, head.end), page, files.ogg.subarray(comments.end)]);
    const { tags } = probe('ogg', addTags('ogg', file, { title: 'New', artist: '', date }));
    expect(tags).toMatchObject({ title: 'New', comment: 'windy' });
    const several = writePage({ ...comments, packets: [packet, packet] });
    const unusual = concat([files.ogg.subarray(0, head.end), several]);
    expect(tagAudio('ogg', unusual, { title: 'New', artist: '', date })).toBeNull();
  });

  it('returns null if the structure of the file is not supported', () => {
    const tags = { title: 'Talk', artist: '', date };
    const damagedFile = files.ogg.slice(0, 60);
    expect(tagAudio('ogg', damagedFile, tags)).toBeNull();
    expect(tagAudio('ogg', files.wav, tags)).toBeNull();
    expect(tagAudio('wav', files.ogg, tags)).toBeNull();
    expect(tagAudio('wav', files.wav.subarray(0, 36), tags)).toBeNull();
  });

  it('updates the size in a WAV header, but leaves an unknown size unknown', () => {
    const file = files.wav.slice();
    file.set(u32(0), 4);
    const tagged = addTags('wav', file, { title: 'Talk', artist: '', date });
    expect([...tagged.subarray(4, 8)]).toEqual([0, 0, 0, 0]);
    const sized = addTags('wav', files.wav, { title: 'Talk', artist: '', date });
    expect(new DataView(sized.buffer).getUint32(4, true)).toBe(sized.length - 8);
  });
});
