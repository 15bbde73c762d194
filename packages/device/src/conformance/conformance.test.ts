/** Compares the clauses with `PROTOCOL.md`. The virtual recorder's tests run them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLAUSES } from './index.ts';

const page = readFileSync(join(import.meta.dirname, '../../PROTOCOL.md'), 'utf8');

/** The anchors that GitHub creates for the headings of the page. */
const anchors = [...page.matchAll(/^#{2,4} (.+)$/gm)].map(([, heading = '']) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-'),
);

test('every clause names an existing section', () => {
  expect(anchors).toContain('12-software-recorders');
  const missing = CLAUSES.filter(({ section }) => !anchors.includes(section));
  expect(missing.map(({ id, section }) => `${id}: ${section}`)).toEqual([]);
});

test('every clause has a unique id', () => {
  const ids = CLAUSES.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
