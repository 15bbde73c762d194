import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cacheEntry } from './cache.ts';
import { createDrafts, deleteDrafts } from './drafts.ts';
import { stubLocalStorage } from './testing/local-storage.ts';

let owner: string | null;
let hasSpace: boolean;
let errors: unknown[];
const drafts = createDrafts(
  () => owner,
  (error) => errors.push(error),
);

beforeEach(() => {
  owner = 'wren';
  hasSpace = true;
  errors = [];
  stubLocalStorage(() => hasSpace);
});
afterEach(() => vi.unstubAllGlobals());

it('drafts are kept for each account, field and recording until they are deleted', () => {
  drafts.write('title', 'Choir', 'r1');
  drafts.write('paragraph', { id: 'p1', text: 'We sing' }, 'r1');
  expect(drafts.read('title', 'r1')).toBe('Choir');
  expect(drafts.read('title', 'r2')).toBeNull();
  expect(drafts.read('paragraph', 'r1')).toEqual({ id: 'p1', text: 'We sing' });
  cacheEntry.clearAll();
  expect(drafts.read('title', 'r1')).toBe('Choir');
  drafts.write('title', null, 'r1');
  expect(drafts.read('title', 'r1')).toBeNull();

  owner = 'finch';
  expect(drafts.read('paragraph', 'r1')).toBeNull();
  drafts.write('nickname', 'Finch');
  deleteDrafts('wren');
  expect(drafts.read('nickname')).toBe('Finch');
  owner = 'wren';
  expect(drafts.read('paragraph', 'r1')).toBeNull();
});

it('drafts are not stored while signed out', () => {
  owner = null;
  drafts.write('nickname', 'Wren');
  expect(drafts.read('nickname')).toBeNull();
  owner = 'wren';
  expect(drafts.read('nickname')).toBeNull();
});

it('drafts report that storage is full', () => {
  hasSpace = false;
  drafts.write('nickname', 'Wren');
  expect(errors).toEqual([expect.objectContaining({ name: 'QuotaExceededError' })]);
});
