/** Tests that strict parsers accept the subtitle files for any text and any speaker name. */
import type { Paragraph } from '@linnet/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type VttNode, WebVTTParser } from 'webvtt-parser';
import { createCues, type SpokenParagraph } from './cues.ts';
import { renderSrt, renderVtt } from './subtitles.ts';

/** Text that may contain subtitle files' markup and line structure. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc
    .array(
      fc
        .constantFrom('-->', '<v Tom>', '</v>', '&amp;', '&', '<', '00:00:01.000 --> 00:00:02.000')
        .map((markup) => `${markup} word.`),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(' ')),
  fc
    .array(fc.constantFrom('NOTE', 'STYLE', 'WEBVTT', '1', '\n', '\r\n', '\u2028', 'Yes.'), {
      maxLength: 20,
    })
    .map((parts) => parts.join(' ')),
);
const anySpeaker = fc.option(fc.oneof(fc.constantFrom('Tom & <Jerry>', 'A > B', 'سلمى'), anyText));
const anyTalk: fc.Arbitrary<readonly SpokenParagraph[]> = fc
  .array(
    fc.record({
      content: anyText,
      speaker: anySpeaker,
      gap: fc.double({ min: 0, max: 4000, noNaN: true }),
      length: fc.double({ min: 0.01, max: 90, noNaN: true }),
    }),
    { maxLength: 5 },
  )
  .map((talk) => {
    let clock = 0;
    return talk.map(({ content, speaker, gap, length }) => {
      const start_time = clock + gap;
      clock = start_time + length;
      const paragraph: Paragraph = { id: 'p', start_time, end_time: clock, content, is_tag: 0 };
      return { paragraph, speaker };
    });
  });

/** Returns the talk with each name on one line. */
const withPlainNames = (talk: readonly SpokenParagraph[]) =>
  talk.map(({ paragraph, speaker }) => {
    const words = speaker?.split(/[\s\p{Cc}]+/u).filter((word) => word !== '') ?? [];
    return { paragraph, speaker: words.length === 0 ? null : words.join(' ') };
  });

const getText = (nodes: readonly VttNode[]): string =>
  nodes.map((node) => (node.type === 'text' ? node.value : getText(node.children))).join('');

/** The entities for the parser. The library's list lacks names with a semicolon, which browsers also accept. */
const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

it("WebVTT files are valid and contain the cues' texts and times", () => {
  fc.assert(
    fc.property(anyTalk, (talk) => {
      const { cues, errors } = new WebVTTParser(entities).parse(renderVtt(talk, 'en'));
      expect(errors).toEqual([]);
      const expected = createCues(withPlainNames(talk), 'en');
      expect(
        cues.map(({ startTime, endTime, tree }) => [
          Math.round(startTime * 1000),
          Math.round(endTime * 1000),
          getText(tree.children),
        ]),
      ).toEqual(expected.map(({ start, end, lines }) => [start, end, lines.join('\n')]));
    }),
  );
});

/** Parses a SubRip file strictly by its description: a number, the times, the lines, and an empty line. */
function parseSrt(file: string): readonly (readonly [number, number, string])[] {
  if (file === '') return [];
  return file
    .replace(/\n$/, '')
    .split('\n\n')
    .map((block, index) => {
      const [number, times = '', ...lines] = block.split('\n');
      expect(number).toBe(String(index + 1));
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line.trim()).not.toBe('');
      const match = /^(\d\d+):(\d\d):(\d\d),(\d{3}) --> (\d\d+):(\d\d):(\d\d),(\d{3})$/.exec(times);
      const fields = match?.slice(1).map(Number) ?? [];
      const toMilliseconds = ([hours = 0, minutes = 0, seconds = 0, rest = 0]: readonly number[]) =>
        ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest;
      expect(match, times).not.toBeNull();
      return [toMilliseconds(fields), toMilliseconds(fields.slice(4)), lines.join('\n')] as const;
    });
}

it("SubRip files have consecutive numbers and contain the cues' texts and times", () => {
  fc.assert(
    fc.property(anyTalk, (talk) => {
      expect(parseSrt(renderSrt(talk, 'en'))).toEqual(
        createCues(withPlainNames(talk), 'en', (speaker) => `${speaker}:`).map(
          ({ start, end, lines }) => [start, end, lines.join('\n')],
        ),
      );
    }),
  );
});
