import type { Paragraph } from '@linnet/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countColumns, createCues } from './cues.ts';
import { renderSrt, renderVtt } from './subtitles.ts';

function paragraph(content: string, start: number, end: number, more = {}): Paragraph {
  return { id: 'p', start_time: start, end_time: end, content, is_tag: 0, ...more };
}
const spokenParagraph = (content: string, start = 1, end = 60, speaker: string | null = null) => ({
  paragraph: paragraph(content, start, end),
  speaker,
});
/** Returns a paragraph whose words are spread evenly over its duration. */
function timedParagraph(content: string, start: number, end: number): Paragraph {
  const texts = content.split(' ');
  const wordSeconds = (end - start) / texts.length;
  const words = texts.map((text, index) => ({
    text: text.replace(/[.,?!]/g, ''),
    start: start + index * wordSeconds,
    end: start + (index + 0.8) * wordSeconds,
    confidence: 0.9,
  }));
  return paragraph(content, start, end, { words });
}

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc
    .array(fc.constantFrom('word', 'longer.', 'is', 'it?', 'Zusammengehörigkeit', 'النص.', 'قال'))
    .map((words) => words.join(' ')),
  fc
    .array(fc.constantFrom('我们', '明天。', '开会', '「谁', '」', '钥匙？'))
    .map((words) => words.join('')),
  fc.array(fc.constantFrom('ประชุม', 'พรุ่งนี้', 'ตอนเช้า', ' ')).map((words) => words.join('')),
);
const removeSpaces = (text: string) => text.replace(/\s/gu, '');

describe('cues', () => {
  it('contain all text, fit into two lines and seven seconds, and never overlap', () => {
    const anyTalk = fc.array(
      fc.record({
        content: anyText,
        gap: fc.double({ min: 0, max: 5, noNaN: true }),
        length: fc.double({ min: 0, max: 90, noNaN: true }),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(anyTalk, fc.boolean(), (talk, hasWordTimes) => {
        let clock = 0;
        const spokenParagraphs = talk.map(({ content, gap, length }) => {
          const start = clock + gap;
          clock = start + length;
          const createParagraph = hasWordTimes ? timedParagraph : paragraph;
          return { paragraph: createParagraph(content, start, clock), speaker: null };
        });
        const cues = createCues(spokenParagraphs, 'en');
        expect(removeSpaces(cues.flatMap(({ lines }) => lines).join(''))).toBe(
          removeSpaces(talk.map(({ content }) => content).join('')),
        );
        const texts = talk.map(({ content }) => content.replace(/\s+/gu, ' '));
        const isFromText = (line: string) =>
          texts.some((text) => text.includes(line.replace(/\s+/gu, ' ')));
        expect(cues.flatMap(({ lines }) => lines).filter((line) => !isFromText(line))).toEqual([]);
        let end = 0;
        for (const cue of cues) {
          expect(cue.start).toBeGreaterThanOrEqual(end);
          expect(cue.end).toBeGreaterThan(cue.start);
          expect(cue.end - cue.start).toBeLessThanOrEqual(7000);
          expect(cue.lines.length).toBeLessThanOrEqual(2);
          for (const line of cue.lines) {
            expect(countColumns(line)).toBeLessThanOrEqual(42.001);
            expect(line).toBe(line.trim());
          }
          end = cue.end;
        }
      }),
    );
  });

  it('start and end at the times of their words', () => {
    const spokenParagraphs = [
      {
        paragraph: timedParagraph('Please water the orchids. Who has the key?', 10, 18),
        speaker: null,
      },
    ];
    expect(createCues(spokenParagraphs, 'en')).toEqual([
      { start: 10_000, end: 13_900, lines: ['Please water the orchids.'], speaker: null },
      { start: 14_000, end: 18_000, lines: ['Who has the key?'], speaker: null },
    ]);
  });

  it('distribute an edited text over the duration of its paragraph by length', () => {
    const edited = {
      ...timedParagraph('one two three four', 0, 4),
      content: 'Abcd. Efgh.',
      edited: true as const,
    };
    const cues = createCues([{ paragraph: edited, speaker: null }], 'en');
    expect(cues.map(({ start, lines }) => [start, ...lines])).toEqual([
      [0, 'Abcd.'],
      [2182, 'Efgh.'],
    ]);
  });

  it('separate short sentences as the text does', () => {
    const createLines = (content: string, language: string) =>
      createCues([spokenParagraph(content, 0, 4)], language).flatMap(({ lines }) => lines);
    const english = 'Yes. No. Right then. I will call her tomorrow morning before nine.';
    expect(createLines(english, 'en').join(' ')).toBe(english);
    expect(createLines('2\n00:00:01,000', 'en').join(' ')).toBe('2 00:00:01,000');
    const french = 'Demain\u202f? «\u202fNon\u202f», dit-elle.';
    expect(createLines(french, 'fr').join(' ')).toBe(french);
    expect(createLines('\u202f0', 'fr')).toEqual(['0']);
    const chinese = '好。不。那就这样。我明天早上九点以前给她打电话。';
    expect(createLines(chinese, 'zh-Hans').join('')).toBe(chinese);
  });

  it('have shorter lines in Chinese and do not split words', () => {
    const cues = createCues(
      [
        spokenParagraph(
          '我们明天上午九点在二楼的会议室开会，请大家把上个月的报告和预算带来。',
          0,
          12,
        ),
      ],
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
    spokenParagraph('أرسل العقد غدا، وقال: «نعم».', 1, 3, 'سلمى'),
    spokenParagraph('ประชุมพรุ่งนี้ตอนเช้า', 3.5, 5, 'Tom & <Jerry>'),
    spokenParagraph('A --> B', 3700, 3702.5, 'Tom & <Jerry>'),
  ];

  it('are written as SubRip, with the speaker’s name wherever the speaker changes', () => {
    expect(renderSrt(talk, 'ar')).toBe(
      [
        ...['1', '00:00:01,000 --> 00:00:03,000', 'سلمى: أرسل العقد غدا، وقال: «نعم».', ''],
        ...['2', '00:00:03,500 --> 00:00:05,000', 'Tom & <Jerry>: ประชุมพรุ่งนี้ตอนเช้า', ''],
        ...['3', '01:01:40,000 --> 01:01:42,500', 'A --> B', ''],
      ].join('\n'),
    );
  });

  it('are written as WebVTT, with the speaker in every cue', () => {
    expect(renderVtt(talk, 'ar')).toBe(
      [
        ...['WEBVTT', ''],
        ...['00:00:01.000 --> 00:00:03.000', '<v سلمى>أرسل العقد غدا، وقال: «نعم».</v>', ''],
        ...['00:00:03.500 --> 00:00:05.000', '<v Tom &amp; &lt;Jerry&gt;>ประชุมพรุ่งนี้ตอนเช้า</v>', ''],
        ...['01:01:40.000 --> 01:01:42.500', '<v Tom &amp; &lt;Jerry&gt;>A --&gt; B</v>', ''],
      ].join('\n'),
    );
  });
});
