import { languages } from '@linnet/contract/languages';
import { describe, expect, it } from 'vitest';
import {
  type LibraryQuestion,
  type QuestionSet,
  readQuestions,
  readRecordings,
} from './library.ts';

const halves: readonly QuestionSet[] = ['development', 'held-out'];
const recordings = await readRecordings();
const byId = new Map(recordings.map((recording) => [recording.id, recording]));
const questions = await Promise.all(
  halves.map(async (half) => ({ half, questions: await readQuestions(half) })),
);
const all = questions.flatMap(({ questions }) => questions);

/** Returns how many times each value occurs. */
const count = (values: readonly string[]) =>
  Object.fromEntries([...new Set(values)].map((v) => [v, values.filter((w) => w === v).length]));

/** Returns the expected counts: `n` for each language. */
const perLanguage = (n: number) => Object.fromEntries(languages.map(({ bcp47 }) => [bcp47, n]));

/** Returns a key for each paragraph that answers one of the questions. */
const answered = (of: readonly LibraryQuestion[]) =>
  of.flatMap(({ answers }) =>
    (answers ?? []).map(({ recording, paragraph }) => `${recording} ${paragraph}`),
  );

describe('recordings', () => {
  it('include four per language, with unique IDs', () => {
    expect(count(recordings.map(({ language }) => language))).toEqual(perLanguage(4));
    expect(byId.size).toBe(recordings.length);
  });

  it('were recorded in 2025 and 2026', () => {
    const years = recordings.map(({ recorded_at }) => recorded_at.slice(0, 4));
    expect([...new Set(years)].sort()).toEqual(['2025', '2026']);
  });

  it.each(recordings)('include $id with 14 to 30 paragraphs', ({ paragraphs }) => {
    expect(paragraphs.length).toBeGreaterThanOrEqual(14);
    expect(paragraphs.length).toBeLessThanOrEqual(30);
  });

  it('contain no repeated paragraphs', () => {
    const texts = recordings.flatMap(({ paragraphs }) => paragraphs.map(({ content }) => content));
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each(recordings)('include $id in chronological order', ({ paragraphs }) => {
    const times = paragraphs.flatMap(({ start_time, end_time }) => [start_time, end_time]);
    for (const [n, time] of times.entries()) expect(time).toBeGreaterThan(times[n - 1] ?? -1);
  });

  it.each(recordings)('include $id without names of silent speakers', (recording) => {
    const labels = recording.paragraphs.map(({ speaker }) => speaker);
    for (const label of Object.keys(recording.speakers)) expect(labels).toContain(label);
  });
});

describe.each(questions)('questions of the $half half', ({ questions }) => {
  it('include three with an answer per language', () => {
    const withAnswer = questions.filter(({ answers }) => answers !== null);
    expect(count(withAnswer.map(({ language }) => language))).toEqual(perLanguage(3));
  });

  it('include the same number of each kind as the other half', () => {
    expect(count(questions.map(({ kind }) => kind))).toEqual({
      ...{ paraphrase: 14, inflected: 7, filter: 6 },
      ...{ 'cross-language': 3, absent: 8 },
    });
  });
});

describe('questions', () => {
  it('have unique IDs', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it('of the two halves are about different paragraphs', () => {
    const keys = questions.flatMap(({ questions }) => [...new Set(answered(questions))]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(all)('include $id, which names existing paragraphs once', (question) => {
    const keys = answered([question]);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { recording, paragraph } of question.answers ?? []) {
      expect(byId.get(recording)?.paragraphs[paragraph]).toBeDefined();
    }
  });

  it.each(all)('include $id, which was asked after its recordings', ({ answers, asked_at }) => {
    for (const { recording } of answers ?? []) {
      const recordedAt = byId.get(recording)?.recorded_at ?? '';
      expect(Date.parse(asked_at)).toBeGreaterThan(Date.parse(recordedAt));
    }
  });

  it.each(all)('include $id, whose kind fits its answers', ({ answers, kind, language }) => {
    expect(answers === null).toBe(kind === 'absent');
    for (const { recording } of answers ?? []) {
      expect(byId.get(recording)?.language === language).toBe(kind !== 'cross-language');
    }
  });
});
