import { expect, it } from 'vitest';

/**
 * The interface's source files. The workbench is excluded because it is for developers. Biome checks the text between
 * tags.
 */
const sources = import.meta.glob<string>(['../**/*.tsx', '!../workbench/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Attributes that are visible or read aloud. */
const userVisibleAttributes =
  /\s(?:aria-label|aria-roledescription|title|placeholder|alt|label)="[^"]*\p{L}[^"]*"/gu;

const rawIn = (text: string) =>
  [...text.matchAll(userVisibleAttributes)].map(([match]) => match.trim());

it('finds no hard-coded text in user-visible attributes', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  const rawStrings = Object.entries(sources).flatMap(([file, text]) =>
    rawIn(text).map((found) => `${file}: ${found}`),
  );
  expect(rawStrings).toEqual([]);
});

it('detects hard-coded text', () => {
  expect(rawIn('<Button aria-label="Close" /> <img alt="" /> <a title={t("x")} />')).toEqual([
    'aria-label="Close"',
  ]);
});
