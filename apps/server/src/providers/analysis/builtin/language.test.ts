import { expect, it } from 'vitest';
import { detectLanguages } from './language.ts';

it.each([
  ['会議日程', ['ja']],
  ['図書館', ['ja']],
  ['会议日程', ['zh']],
  ['什么时候开会', ['zh']],
  ['會議日程', ['zh', 'ja']],
  ['日本', ['zh', 'ja']],
  ['会議の日程', ['ja']],
])('the language of %s', (text, languages) => {
  expect(detectLanguages(text)).toEqual(languages);
});
