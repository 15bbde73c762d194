import { describe, expect, it } from 'vitest';
import { latestWords } from './latest-words.ts';

const passage = (text: string) => ({ start: 0, end: 1, text });

describe('the last words of live text', () => {
  it('are the last passages and the tentative words', () => {
    expect(latestWords({ passages: [], tentative: null })).toEqual({ settled: '', tentative: '' });
    expect(
      latestWords({
        passages: ['One.', 'Two.', 'Three.', 'Four.'].map(passage),
        tentative: passage('And then'),
      }),
    ).toEqual({ settled: 'Two. Three. Four.', tentative: 'And then' });
  });

  it('start with a complete word', () => {
    const longText = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ');
    const { settled } = latestWords({ passages: [passage(longText)], tentative: null });
    expect(settled).toMatch(/^word\d+ .* word99$/);
    expect(settled.length).toBeLessThanOrEqual(240);
    expect(latestWords({ passages: [passage('字'.repeat(300))], tentative: null }).settled).toBe(
      '字'.repeat(240),
    );
    const latestText = latestWords({
      passages: [passage('Settled.')],
      tentative: passage(longText),
    });
    expect(latestText.settled.length + latestText.tentative.length).toBeLessThanOrEqual(240);
  });
});
