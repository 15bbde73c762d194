/** The lists of pages in the end-to-end tests are complete. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { paths } from '../page-kit/paths.ts';
import { pageNames } from './page-table.ts';

const e2e = join(import.meta.dirname, '../../../../e2e');
const walks = readdirSync(join(e2e, 'tests')).map((name) => join(e2e, 'tests', name));
const textOf = (files: readonly string[]) =>
  files.map((file) => readFileSync(file, 'utf8')).join('\n');
const lists = {
  'walk of all pages': textOf(walks.filter((file) => file.endsWith('pages.spec.ts'))),
  'accessibility walks': textOf(walks.filter((file) => file.includes('accessibility'))),
};

/** Pages that the accessibility tests reach by clicking, or at another address. */
const elsewhere: readonly string[] = ['chooseLocation', 'openLocation', 'signIn'];

/** The part of an address used in the lists, such as `recycleBin`. One question stands for all. */
const partOf = (path: string) => path.replace('/pages/', '').replace(/\d$/, '');

describe.each(Object.entries(lists))('the %s', (list, text) => {
  const named = pageNames.filter(
    (name) => list === 'walk of all pages' || !elsewhere.includes(name),
  );
  test.each(named)('has %s', (name) => {
    expect(text).toContain(partOf(paths[name]));
  });
});
