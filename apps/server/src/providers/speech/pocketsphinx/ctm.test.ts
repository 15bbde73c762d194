import { describe, expect, it } from 'vitest';
import { parseCtm, parseSegments, sliceName } from './ctm.ts';

describe('parseCtm', () => {
  it('converts times to the timeline of the recording', () => {
    const text = `${sliceName(12_345)} 1 0.21 0.13 good 0.318\n${sliceName(0)} 1 1.00 0.40 morning 1.000\n`;
    expect(parseCtm(text)).toEqual([
      { text: 'morning', start: 1, end: 1.4, confidence: 1 },
      { text: 'good', start: 123.66, end: 123.79, confidence: 0.318 },
    ]);
  });

  it('removes markers and pronunciation numbers', () => {
    const words = [
      '<s>',
      '<sil>',
      '[NOISE]',
      '[SPEECH]',
      '++UM++',
      'read(2)',
      "don't",
      'b.',
      'a.m.',
    ];
    const text = words.map((word, n) => `f0 1 ${n}.00 0.50 ${word} 0.500\n`).join('');
    expect(parseCtm(text).map((word) => word.text)).toEqual(['read', "don't", 'B', 'a.m.']);
  });

  it('clamps confidences to 0…1', () => {
    const text = 'f0 1 0.00 0.10 a 1.002\nf0 1 0.20 0.10 b -0.100\n';
    expect(parseCtm(text).map((word) => word.confidence)).toEqual([1, 0]);
  });

  it.each([
    'f0 1 0.21 0.13 good',
    'other 1 0.21 0.13 good 0.3',
    'f0 1 x 0.13 good 0.3',
    'Segmentation fault',
  ])('rejects an invalid line: %s', (line) => {
    expect(() => parseCtm(`${line}\n`)).toThrowError(
      expect.objectContaining({ code: 'output-unreadable' }),
    );
  });

  it('returns no words for an empty file', () => {
    expect(parseCtm('')).toEqual([]);
  });
});

describe('parseSegments', () => {
  it('finds the entries of the vocabulary, which parseCtm divides into words', () => {
    const segments = `${sliceName(100)} S 0 T -9 A -8 L -7 0 -5 0 <s> 37 -5 -2 smith(1000) 107 -6 -3 john 131\n`;
    const ctm = [
      `${sliceName(100)} 1 0.37 0.70 smith 0.440`,
      `${sliceName(100)} 1 1.07 0.24 john 0.800\n`,
    ].join('\n');
    const entries = parseSegments(segments, new Map([['smith(1000)', 'Ann Lee']]));
    expect(parseCtm(ctm, entries)).toEqual([
      { text: 'Ann', start: 1.37, end: 1.72, confidence: 0.44 },
      { text: 'Lee', start: 1.72, end: 2.07, confidence: 0.44 },
      { text: 'john', start: 2.07, end: 2.31, confidence: 0.8 },
    ]);
  });
});
