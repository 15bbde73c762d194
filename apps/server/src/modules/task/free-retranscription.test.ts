import { describe, expect, it } from 'vitest';
import { isPaidDraft } from './free-retranscription.ts';

const draft = { engine: 'pocketsphinx/5', language: 'en', minutes: 2, is_free: false } as const;

describe('isPaidDraft', () => {
  it.each([
    ['a draft with all minutes', draft, 120, 'en', true],
    ['a draft of shorter substitute audio', { ...draft, minutes: 1 }, 14_400, 'en', false],
    ['a free draft', { ...draft, minutes: 0, is_free: true }, 14_400, 'en', true],
    ['a draft in another language', draft, 120, 'fr', false],
    ['automatic detection of the language', draft, 120, 'auto', true],
    ['a transcript by another engine', { ...draft, engine: 'sherpa/tones' }, 120, 'en', false],
    ['no transcript', undefined, 120, 'en', false],
  ] as const)('with %s', (_, transcript, seconds, language, expected) => {
    expect(isPaidDraft(transcript, seconds, language)).toBe(expected);
  });
});
