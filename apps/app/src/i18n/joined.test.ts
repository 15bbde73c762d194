import { describe, expect, it } from 'vitest';
import { joinList, joinSentences } from './joined.ts';

describe('joinSentences', () => {
  it.each([
    ['en', 'One', 'Two', 'One. Two'],
    ['en', 'One?', 'Two.', 'One? Two.'],
    ['en', 'He said “one.”', 'Two.', 'He said “one.” Two.'],
    ['fr', '« Un » est là', 'Deux', '« Un » est là. Deux'],
    ['ko', '하나예요', '둘이에요.', '하나예요. 둘이에요.'],
    ['th', 'หนึ่ง', 'สอง', 'หนึ่ง สอง'],
    ['ar', 'هل هذا واحد؟', 'اثنان.', 'هل هذا واحد؟ اثنان.'],
    ['zh-Hans', '第一句', '第二句。', '第一句。第二句。'],
    ['zh-Hans', '第一句吗？', '第二句。', '第一句吗？第二句。'],
    ['ja', '一つ目です。', '二つ目です。', '一つ目です。二つ目です。'],
  ])('joins in %s: %s, %s', (language, first, second, text) => {
    expect(joinSentences([first, second], language)).toBe(text);
  });

  it('omits empty sentences and leaves the last one unchanged', () => {
    expect(joinSentences(['', 'Two'], 'en')).toBe('Two');
    expect(joinSentences(['One', ''], 'zh-Hans')).toBe('One');
  });
});

describe('joinList', () => {
  it.each([
    ['en', 'A, B'],
    ['ko', 'A, B'],
    ['ar', 'A، B'],
    ['zh-Hans', 'A、B'],
    ['ja', 'A、B'],
  ])('uses the commas of %s', (language, text) => {
    expect(joinList(['A', 'B'], language)).toBe(text);
  });
});
