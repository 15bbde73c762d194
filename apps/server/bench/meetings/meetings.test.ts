import { type Bcp47, languages } from '@linnet/contract/languages';
import { describe, expect, it } from 'vitest';
import { type Half, readMeetings } from './meetings.ts';

/** The stems of the number words that occur in amounts of money. */
const numberWords: Readonly<Record<Bcp47, RegExp>> = {
  en: /hundred|thousand|thirteen/iu,
  'zh-Hans': /[一二两三四五六七八九十百千万]/u,
  ar: /مئ|ألف|آلاف/u,
  ja: /[一二三四五六七八九十百千万]/u,
  ko: /[일이삼사오육칠팔구십백천만]/u,
  th: /ร้อย|พัน|หมื่น|แสน/u,
  ru: /сот|ст[оа]|тысяч/iu,
  es: /cient|mil/iu,
  pt: /cent|mil|trinta/iu,
  fr: /cent|mille/iu,
};

const halves: readonly Half[] = ['development', 'held-out'];
const meetings = await Promise.all(
  halves.map(async (half) => ({ half, meetings: await readMeetings(half) })),
);
const cases = meetings.flatMap(({ half, meetings }) =>
  meetings.map((meeting) => ({ half, language: meeting.language, meeting })),
);

describe('labeled meetings', () => {
  it.each(meetings)('of the $half half include one per language', ({ meetings }) => {
    const languageTags = meetings.map(({ language }) => language);
    expect(languageTags.sort()).toEqual(languages.map(({ bcp47 }) => bcp47).sort());
  });

  it('share no paragraph between the halves', () => {
    const texts = cases.flatMap(({ meeting }) => meeting.paragraphs.map(({ text }) => text));
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe.each(cases)('the $half meeting in $language', ({ meeting }) => {
  const { language, paragraphs, expected } = meeting;
  const texts = new Map(paragraphs.map(({ id, text }) => [id, text]));
  const quotes = Object.values(expected).flat();

  it('has unique paragraph IDs', () => {
    expect(texts.size).toBe(paragraphs.length);
  });

  it('is in chronological order', () => {
    const times = paragraphs.flatMap(({ start, end }) => [start, end]);
    for (const [n, time] of times.entries()) expect(time).toBeGreaterThan(times[n - 1] ?? -1);
  });

  it('has verbatim quotes without duplicates within a list', () => {
    for (const { paragraph, quote } of quotes) expect(texts.get(paragraph)).toContain(quote);
    for (const labels of Object.values(expected)) {
      const places = labels.map(({ paragraph, quote }) => `${paragraph} ${quote}`);
      expect(new Set(places).size).toBe(places.length);
    }
  });

  it('quotes to-dos and questions as complete sentences, or in Thai as complete phrases', () => {
    for (const { paragraph, quote } of [...expected.todos, ...expected.questions]) {
      const text = texts.get(paragraph) ?? '';
      const textBefore = text.slice(0, text.indexOf(quote));
      expect(textBefore, quote).toMatch(language === 'th' ? /^$| $/u : /^$|[.?!؟] $|[。？！]$/u);
      const after = text.slice(textBefore.length + quote.length);
      if (language === 'th') expect(after, quote).toMatch(/^$|^ /u);
      else expect(quote).toMatch(/[.?!؟。？！]$/u);
    }
  });

  it('quotes the assignee and due time of a to-do from its paragraph', () => {
    for (const { paragraph, who, when } of expected.todos) {
      for (const words of [who, when]) {
        if (words !== null) expect(texts.get(paragraph)).toContain(words);
      }
    }
  });

  it('labels no sentence as both a to-do and a question', () => {
    const tasks = expected.todos.map(({ quote }) => quote);
    for (const { quote } of expected.questions) expect(tasks).not.toContain(quote);
  });

  it('has amounts in digits or number words', () => {
    for (const { quote } of expected.amounts) {
      expect(/\p{Nd}/u.test(quote) || numberWords[language].test(quote), quote).toBe(true);
    }
  });
});
