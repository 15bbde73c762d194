import { expect, it } from 'vitest';

/** What a page is made of; the workbench is for developers. What stands between tags, Biome looks at. */
const sources = import.meta.glob<string>(['../**/*.tsx', '!../workbench/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Attributes that people read or hear. */
const spoken =
  /\s(?:aria-label|aria-roledescription|title|placeholder|alt|label)="[^"]*\p{L}[^"]*"/gu;

const rawIn = (text: string) => [...text.matchAll(spoken)].map(([found]) => found.trim());

it('no attribute that people read or hear is written in place', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  const raw = Object.entries(sources).flatMap(([file, text]) =>
    rawIn(text).map((found) => `${file}: ${found}`),
  );
  expect(raw).toEqual([]);
});

it('would be found', () => {
  expect(rawIn('<Button aria-label="Close" /> <img alt="" /> <a title={t("x")} />')).toEqual([
    'aria-label="Close"',
  ]);
});
