import { describe, expect, it } from 'vitest';
import { lastWords } from './last-words.ts';

const passage = (text: string) => ({ start: 0, end: 1, text });

describe('the last words of a live text', () => {
  it('are the last passages and the tentative words', () => {
    expect(lastWords({ passages: [], tentative: null })).toEqual({ settled: '', tentative: '' });
    expect(
      lastWords({
        passages: ['One.', 'Two.', 'Three.', 'Four.'].map(passage),
        tentative: passage('And then'),
      }),
    ).toEqual({ settled: 'Two. Three. Four.', tentative: 'And then' });
  });

  it('start with a complete word', () => {
    const long = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ');
    const { settled } = lastWords({ passages: [passage(long)], tentative: null });
    expect(settled).toMatch(/^word\d+ .* word99$/);
    expect(settled.length).toBeLessThanOrEqual(240);
    expect(lastWords({ passages: [passage('字'.repeat(300))], tentative: null }).settled).toBe(
      '字'.repeat(240),
    );
    const both = lastWords({ passages: [passage('Settled.')], tentative: passage(long) });
    expect(both.settled.length + both.tentative.length).toBeLessThanOrEqual(240);
  });
});
