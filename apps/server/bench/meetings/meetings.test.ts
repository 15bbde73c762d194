import { type Bcp47, languages } from '@linnet/contract/languages';
import { describe, expect, it } from 'vitest';
import { type MeetingSet, readMeetings } from './meetings.ts';

/** The stems of the number words that occur in amounts of money. */
const numberWords: Readonly<Record<Bcp47, RegExp>> = {
  en: /\bten\b|grand|eleven|teen|[efhirnx]ty|hundred|thousand/iu,
  'zh-Hans': /[一二两三四五六七八九十百千万]/u,
  ar: /ثلاث|أربع|خمس|عشر|[عسثر][وي]ن|مئ|ألف|آلاف/u,
  ja: /[一二三四五六七八九十百千万]/u,
  ko: /[일이삼사오육칠팔구십백천만]/u,
  th: /สิบ|ร้อย|พัน|หมื่น|แสน/u,
  ru: /дцат|десят|сот|ст[аио]|тысяч/iu,
  es: /\b(?:un|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)\b|catorce|quince|veint|[aei]nta|cient|mil/iu,
  pt: /vint|[ie]nta|[cz]ent|mil/iu,
  fr: /\b(?:une?|deux|trois|cinq|six|sept|huit|neuf|dix)\b|quatre|[noer]ze|vingt|[aeo]nte|cent|mille/iu,
};

const halves: readonly MeetingSet[] = ['development', 'held-out'];
const meetings = await Promise.all(
  halves.map(async (half) => ({ half, meetings: await readMeetings(half) })),
);
const cases = meetings.flatMap(({ half, meetings }) =>
  meetings.map((meeting) => ({ half, file: meeting.file, meeting })),
);

describe('labeled meetings', () => {
  it.each(meetings)('of the $half half are balanced across languages', ({ half, meetings }) => {
    const all = languages.map(({ bcp47 }) => bcp47).sort();
    const longMeetings = meetings.filter(({ expected }) => expected.topics !== undefined);
    const shortMeetings = meetings.filter(({ expected }) => expected.topics === undefined);
    expect(longMeetings.map(({ language }) => language).sort()).toEqual([...all, ...all].sort());
    const shortPerLanguage = half === 'development' ? 3 : 1;
    expect(shortMeetings.map(({ language }) => language).sort()).toEqual(
      Array.from({ length: shortPerLanguage }, () => all)
        .flat()
        .sort(),
    );
  });

  it('share no paragraph between the halves', () => {
    const texts = cases.flatMap(({ meeting }) => meeting.paragraphs.map(({ text }) => text));
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe.each(cases)('the meeting $half/$file', ({ meeting }) => {
  const { language, paragraphs, expected } = meeting;
  const texts = new Map(paragraphs.map(({ id, text }) => [id, text]));
  const { todos, questions, dates, amounts, decisions = [], topics = [] } = expected;
  const lists = [todos, questions, dates, amounts, decisions];

  it('has unique paragraph IDs', () => {
    expect(texts.size).toBe(paragraphs.length);
  });

  it('is in chronological order', () => {
    const times = paragraphs.flatMap(({ start, end }) => [start, end]);
    for (const [n, time] of times.entries()) expect(time).toBeGreaterThan(times[n - 1] ?? -1);
  });

  it('has verbatim quotes without duplicates within a list', () => {
    for (const labels of lists) {
      for (const { paragraph, quote } of labels) expect(texts.get(paragraph)).toContain(quote);
      const places = labels.map(({ paragraph, quote }) => `${paragraph} ${quote}`);
      expect(new Set(places).size).toBe(places.length);
    }
  });

  it('quotes to-dos, questions and decisions as complete sentences, or in Thai as complete phrases', () => {
    for (const { paragraph, quote } of [...todos, ...questions, ...decisions]) {
      const text = texts.get(paragraph) ?? '';
      const textBefore = text.slice(0, text.indexOf(quote));
      expect(textBefore, quote).toMatch(language === 'th' ? /^$| $/u : /^$|[.?!؟] $|[。？！]$/u);
      const after = text.slice(textBefore.length + quote.length);
      if (language === 'th') expect(after, quote).toMatch(/^$|^ /u);
      else expect(quote).toMatch(/[.?!؟。？！]$/u);
    }
  });

  it('quotes the assignee and due time of a to-do from its paragraph', () => {
    for (const { paragraph, who, when } of todos) {
      for (const words of [who, when]) {
        if (words !== null) expect(texts.get(paragraph)).toContain(words);
      }
    }
  });

  it('labels no sentence as both a to-do and a question', () => {
    const tasks = todos.map(({ quote }) => quote);
    for (const { quote } of questions) expect(tasks).not.toContain(quote);
  });

  it('has amounts in digits or number words', () => {
    for (const { quote } of amounts) {
      expect(/\p{Nd}/u.test(quote) || numberWords[language].test(quote), quote).toBe(true);
    }
  });

  it('has topics that begin at successive paragraphs', () => {
    const ids = paragraphs.map(({ id }) => id);
    const starts = topics.map(({ from }) => ids.indexOf(from));
    for (const [n, start] of starts.entries()) expect(start).toBeGreaterThan(starts[n - 1] ?? -1);
    expect(expected.decisions === undefined).toBe(expected.topics === undefined);
  });

  it('has topics whose keywords occur in their paragraphs', () => {
    const ids = paragraphs.map(({ id }) => id);
    for (const [n, { from, keywords }] of topics.entries()) {
      const next = topics[n + 1];
      const endIndex = next === undefined ? ids.length : ids.indexOf(next.from);
      const within = paragraphs.slice(ids.indexOf(from), endIndex);
      const words = within.map(({ text }) => text.toLowerCase()).join(' ');
      for (const keyword of keywords) expect(words).toContain(keyword.toLowerCase());
    }
  });
});
