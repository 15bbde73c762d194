/** Checks that the end-to-end tests cover every page in the page table. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { paths } from '../page-kit/paths.ts';
import { pageNames } from './page-table.ts';

const e2e = join(import.meta.dirname, '../../../../e2e');
const specs = readdirSync(join(e2e, 'tests')).map((name) => join(e2e, 'tests', name));
const readFiles = (files: readonly string[]) =>
  files.map((file) => readFileSync(file, 'utf8')).join('\n');
const lists = {
  'page tests': readFiles(specs.filter((file) => file.endsWith('pages.spec.ts'))),
  'accessibility tests': readFiles(specs.filter((file) => file.includes('accessibility'))),
};

/** Pages that the accessibility tests open by clicking, or at another address. */
const testedIndirectly: readonly string[] = ['chooseLocation', 'openLocation', 'signIn'];

/**
 * Returns the part of an address that the end-to-end tests list, such as `recycleBin`. The numbered question pages
 * share a component, so testing one of them is enough.
 */
const pathSegment = (path: string) => path.replace('/pages/', '').replace(/\d$/, '');

describe.each(Object.entries(lists))('the %s', (list, text) => {
  const expected = pageNames.filter(
    (name) => list === 'page tests' || !testedIndirectly.includes(name),
  );
  test.each(expected)('cover %s', (name) => {
    expect(text).toContain(pathSegment(paths[name]));
  });
});
