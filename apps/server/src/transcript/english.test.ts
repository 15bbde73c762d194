import { describe, expect, it } from 'vitest';
import { isEnglishQuestion, spellEnglish } from './english.ts';

describe('spellEnglish', () => {
  it.each([
    ['i', 'I'],
    ["i'll", "I'll"],
    ['it', 'it'],
    ['friday', 'Friday'],
    ["monday's", "Monday's"],
    ['may', 'may'],
  ])('spells %s as %s', (word, written) => expect(spellEnglish(word)).toBe(written));
});

describe('isEnglishQuestion', () => {
  it.each([
    'who will send the invoice',
    'can you hear me',
    'does the train stop there',
    'and when do we leave',
    'how many people are coming',
    'how long does it take',
    'what time is it',
    'which room do we need',
    "what's the price",
    'where is the key',
    'is there anything else',
    'have you seen it',
    "don't you think so",
  ])('accepts: %s', (sentence) => expect(isEnglishQuestion(sentence.split(' '))).toBe(true));

  it.each([
    'when we arrive call me',
    'what i need is more time',
    'what people do is their business',
    'what is new is the price',
    'do the dishes please',
    'have a nice day',
    'should you need me call',
    'which is why i called',
    'who cares',
    'the question is open',
    'how you did that is beyond me',
    'whatever you like is fine',
    'can opener',
    '',
  ])('rejects: %s', (sentence) => expect(isEnglishQuestion(sentence.split(' '))).toBe(false));
});
