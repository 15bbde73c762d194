import { describe, expect, it } from 'vitest';
import { joinList, joinSentences, spaceBetween } from './joined.ts';

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

describe('spaceBetween', () => {
  it.each([
    ['It is on Friday.', 'Anna comes.', ' '],
    ['금요일이에요.', '안나가 와요.', ' '],
    ['เป็นวันศุกร์', 'แอนนามา', ' '],
    ['هو يوم الجمعة.', 'تأتي آنا.', ' '],
    ['在星期五。', '安娜会来。', ''],
    ['他说“好。”', '安娜会来。', ''],
    ['金曜日です。', 'Annaが来ます。', ''],
    ['金曜日です（たぶん）', 'Annaが来ます。', ''],
  ])('separates %s and %s', (sentence, next, space) => {
    expect(spaceBetween(sentence, next)).toBe(space);
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
