import { describe, expect, it } from 'vitest';
import { paragraphKinds } from './kinds.ts';
import { type Candidate, scoreMultiplier, sumTerms } from './ranking.ts';

describe('the value of a question', () => {
  const terms = [
    { text: 'fee', weight: 1, words: null },
    { text: 'school', weight: 1, words: null },
    { text: 'concept price', weight: 0.6, words: [[0]] },
    { text: 'concept money', weight: 0.6, words: [[0]] },
    { text: 'concept school', weight: 0.6, words: [[1]] },
    { text: 'concept costs', weight: 0.6, words: [[0], [1]] },
    { text: 'concept without a word', weight: 0.6, words: [] },
  ];
  it.each([
    ['is the sum of its words', { 0: 5, 1: 3 }, 8],
    ['has a concept instead of its word', { 1: 3, 2: 2 }, 5],
    ['counts a word instead of its concepts', { 0: 5, 2: 2, 3: 1 }, 5],
    ['counts the better one of a close concept and a distant word', { 0: 1, 2: 2 }, 2],
    ['counts one concept of a word', { 2: 2, 3: 1.5 }, 2],
    ['counts the concepts of several words', { 2: 2, 4: 3 }, 5],
    ['counts a concept of several words once', { 0: 1, 5: 4 }, 4],
    ['adds a concept to a word that it does not stand for', { 1: 3, 6: 1 }, 4],
    ['is zero without terms', {}, 0],
  ])('%s', (_name, values, expected) => {
    const byIndex = Object.entries(values).map(([index, value]) => [Number(index), value] as const);
    expect(sumTerms(new Map(byIndex), terms)).toBeCloseTo(expected);
  });
});

describe('a passage', () => {
  const passage: Candidate = {
    ...{
      recording_id: 'r',
      ordinal: 0,
      task_id: 't',
      kinds: paragraphKinds.time,
      language: 'en-GB',
    },
    ...{ length: 9, matched: [], speakerTerms: [], recorded_at: new Date(0), utc_offset: 0 },
  };
  const question = {
    ...{ terms: [], languages: ['en'], period: null, isAboutTasks: false },
    expectedKinds: paragraphKinds.number + paragraphKinds.time,
  };

  it('counts more if it contains a type of answer that the question expects', () => {
    const other = { ...passage, kinds: paragraphKinds.place };
    expect(scoreMultiplier(passage, question)).toBeGreaterThan(scoreMultiplier(other, question));
    const open = { ...question, expectedKinds: 0 };
    expect(scoreMultiplier(passage, open)).toBe(scoreMultiplier(other, open));
  });
});
