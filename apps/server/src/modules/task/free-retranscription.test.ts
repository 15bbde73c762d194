import { describe, expect, it } from 'vitest';
import { isPaidDraft } from './free-retranscription.ts';

const draft = { engine: 'pocketsphinx/5', language: 'en', minutes: 2, is_free: false } as const;

describe('isPaidDraft', () => {
  it.each([
    ['a draft with all minutes', true, draft, 120, 'en'],
    ['a draft of shorter substitute audio', false, { ...draft, minutes: 1 }, 14_400, 'en'],
    ['a free draft', true, { ...draft, minutes: 0, is_free: true }, 14_400, 'en'],
    ['a draft in a different language', false, draft, 120, 'fr'],
    ['automatic detection of the language', true, draft, 120, 'auto'],
    ['a transcript by another engine', false, { ...draft, engine: 'sherpa/tones' }, 120, 'en'],
    ['no transcript', false, undefined, 120, 'en'],
  ] as const)('returns for %s: %s', (_, expected, transcript, seconds, language) => {
    expect(isPaidDraft(transcript, seconds, language)).toBe(expected);
  });
});
