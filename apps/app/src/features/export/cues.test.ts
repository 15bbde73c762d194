import type { Paragraph } from '@linnet/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, cuesOf } from './cues.ts';
import { srtOf, vttOf } from './subtitles.ts';

function paragraph(content: string, start: number, end: number, more = {}): Paragraph {
  return { id: 'p', start_time: start, end_time: end, content, is_tag: 0, ...more };
}
const said = (content: string, start = 1, end = 60, speaker: string | null = null) => ({
  paragraph: paragraph(content, start, end),
  speaker,
});
/** Words evenly distributed over a period, as an engine returns them. */
function timedParagraph(content: string, start: number, end: number): Paragraph {
  const texts = content.split(' ');
  const each = (end - start) / texts.length;
  const words = texts.map((text, index) => ({
    text: text.replace(/[.,?!]/g, ''),
    start: start + index * each,
    end: start + (index + 0.8) * each,
    confidence: 0.9,
  }));
  return paragraph(content, start, end, { words });
}

const someText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc
    .array(fc.constantFrom('word', 'longer.', 'is', 'it?', 'Zusammengehörigkeit', 'النص.', 'قال'))
    .map((words) => words.join(' ')),
  fc
    .array(fc.constantFrom('我们', '明天。', '开会', '「谁', '」', '钥匙？'))
    .map((words) => words.join('')),
  fc.array(fc.constantFrom('ประชุม', 'พรุ่งนี้', 'ตอนเช้า', ' ')).map((words) => words.join('')),
);
const letters = (text: string) => text.replace(/\s/gu, '');

describe('cues', () => {
  it('contain all text, fit into two lines and seven seconds, and never overlap', () => {
    const some = fc.array(
      fc.record({
        content: someText,
        gap: fc.double({ min: 0, max: 5, noNaN: true }),
        length: fc.double({ min: 0, max: 90, noNaN: true }),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(some, fc.boolean(), (talk, timed) => {
        let clock = 0;
        const spoken = talk.map(({ content, gap, length }) => {
          const start = clock + gap;
          clock = start + length;
          const make = timed ? timedParagraph : paragraph;
          return { paragraph: make(content, start, clock), speaker: null };
        });
        const cues = cuesOf(spoken, 'en');
        expect(letters(cues.flatMap(({ lines }) => lines).join(''))).toBe(
          letters(talk.map(({ content }) => content).join('')),
        );
        let end = 0;
        for (const cue of cues) {
          expect(cue.start).toBeGreaterThanOrEqual(end);
          expect(cue.end).toBeGreaterThan(cue.start);
          expect(cue.end - cue.start).toBeLessThanOrEqual(7000);
          expect(cue.lines.length).toBeLessThanOrEqual(2);
          for (const line of cue.lines) expect(columnsOf(line)).toBeLessThanOrEqual(42.001);
          end = cue.end;
        }
      }),
    );
  });

  it('start and end with their words', () => {
    const spoken = [
      {
        paragraph: timedParagraph('Please water the orchids. Who has the key?', 10, 18),
        speaker: null,
      },
    ];
    expect(cuesOf(spoken, 'en')).toEqual([
      { start: 10_000, end: 13_900, lines: ['Please water the orchids.'], speaker: null },
      { start: 14_000, end: 18_000, lines: ['Who has the key?'], speaker: null },
    ]);
  });

  it('distribute an edited text over its time by length', () => {
    const edited = {
      ...timedParagraph('one two three four', 0, 4),
      content: 'Abcd. Efgh.',
      edited: true as const,
    };
    const cues = cuesOf([{ paragraph: edited, speaker: null }], 'en');
    expect(cues.map(({ start, lines }) => [start, ...lines])).toEqual([
      [0, 'Abcd.'],
      [2182, 'Efgh.'],
    ]);
  });

  it('have shorter lines in Chinese, and split no words', () => {
    const cues = cuesOf(
      [said('我们明天上午九点在二楼的会议室开会，请大家把上个月的报告和预算带来。', 0, 12)],
      'zh-Hans',
    );
    const lines = cues.flatMap(({ lines }) => lines);
    for (const line of lines) {
      expect([...line].length).toBeLessThanOrEqual(16);
      expect(line).not.toMatch(/^[，。]/u);
    }
    expect(lines.join('')).toContain('会议室');
  });
});

describe('subtitles', () => {
  const talk = [
    said('أرسل العقد غدا، وقال: «نعم».', 1, 3, 'سلمى'),
    said('ประชุมพรุ่งนี้ตอนเช้า', 3.5, 5, 'Tom & <Jerry>'),
    said('A --> B', 3700, 3702.5, 'Tom & <Jerry>'),
  ];

  it('are SubRip, with a name where the speaker changes', () => {
    expect(srtOf(talk, 'ar')).toBe(
      [
        ...['1', '00:00:01,000 --> 00:00:03,000', 'سلمى: أرسل العقد غدا، وقال: «نعم».', ''],
        ...['2', '00:00:03,500 --> 00:00:05,000', 'Tom & <Jerry>: ประชุมพรุ่งนี้ตอนเช้า', ''],
        ...['3', '01:01:40,000 --> 01:01:42,500', 'A --> B', ''],
      ].join('\n'),
    );
  });

  it('are WebVTT, with a voice in every cue', () => {
    expect(vttOf(talk, 'ar')).toBe(
      [
        ...['WEBVTT', ''],
        ...['00:00:01.000 --> 00:00:03.000', '<v سلمى>أرسل العقد غدا، وقال: «نعم».</v>', ''],
        ...['00:00:03.500 --> 00:00:05.000', '<v Tom &amp; &lt;Jerry&gt;>ประชุมพรุ่งนี้ตอนเช้า</v>', ''],
        ...['01:01:40.000 --> 01:01:42.500', '<v Tom &amp; &lt;Jerry&gt;>A --&gt; B</v>', ''],
      ].join('\n'),
    );
  });
});
