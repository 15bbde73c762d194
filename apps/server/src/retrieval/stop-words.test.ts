import { expect, it } from 'vitest';
import { removeStopWords } from './stop-words.ts';

it.each([
  ['en', 'What did they decide about the budget?', 'decide budget?'],
  ['ja', '会議では予算についてどんなことを決めましたか。', '会議 予算 決め 。'],
  ['ko', '회의에서 예산을 얼마로 결정했나요?', '회의 예산 결정?'],
  ['ko', '기록에 왜곡이 있나요?', '기록 왜곡 있?'],
  ['th', 'หมาตัวนี้ชื่ออะไร', 'หมา ชื่อ'],
  ['zh', '会议上为什么没有决定预算？', '会议 决定预算？'],
])('the content of a question in %s', (language, question, content) => {
  expect(removeStopWords(question, [language]).replaceAll(/\s+/gu, ' ').trim()).toBe(content);
});
