import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FeedbackDraft } from '../../ports/feedback.ts';
import { cacheEntry } from '../cache.ts';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { createFeedback, deleteFeedbackDraft } from './feedback.ts';

let storage: Map<string, string>;
const createDraft = (content: string): FeedbackDraft => ({ kind: 'wish', content, contact: '' });
const emptyDraft = { kind: 'problem', content: '', contact: '' };

let owner: string | null;
let calls: string[];
let isServerReachable: boolean;
const feedback = createFeedback(
  {
    call: (async (name: string) => {
      calls.push(name);
      return isServerReachable
        ? { ok: true, data: {} }
        : { ok: false, failure: { kind: 'network', cause: null } };
    }) as never,
  },
  () => owner,
  'visitor',
);

beforeEach(() => {
  owner = null;
  calls = [];
  isServerReachable = true;
  storage = stubLocalStorage();
});
afterEach(() => vi.unstubAllGlobals());

it('stores a separate draft for each account and for signed-out users', () => {
  for (const [author, text] of [
    [null, 'hello'],
    ['wren', 'mine'],
  ] as const) {
    owner = author;
    feedback.begin().save(createDraft(text));
  }
  const beginDraft = (author: string | null) => {
    owner = author;
    return feedback.begin().draft;
  };
  expect([beginDraft(null), beginDraft('wren'), beginDraft('robin')]).toEqual([
    createDraft('hello'),
    createDraft('mine'),
    emptyDraft,
  ]);
});

it('saves a draft for its author even after the session has ended', () => {
  owner = 'wren';
  const writing = feedback.begin();
  owner = null;
  writing.save(createDraft('still mine'));
  expect(feedback.begin().draft).toEqual(emptyDraft);
  owner = 'wren';
  expect(feedback.begin().draft).toEqual(createDraft('still mine'));
});

it('deletes a draft only after it has been sent', async () => {
  feedback.begin().save(createDraft('signed out'));
  owner = 'wren';
  const writing = feedback.begin();
  writing.save(createDraft('mine'));
  isServerReachable = false;
  expect((await writing.send(createDraft('mine'), '')).ok).toBe(false);
  expect(feedback.begin().draft).toEqual(createDraft('mine'));
  isServerReachable = true;
  expect((await writing.send(createDraft('mine'), '')).ok).toBe(true);
  expect(calls).toEqual(['user/feedback', 'user/feedback']);
  expect(feedback.begin().draft).toEqual(emptyDraft);
  owner = null;
  expect(feedback.begin().draft).toEqual(createDraft('signed out'));
});

it('deletes the draft of a deleted account, but not when the cache is cleared', () => {
  owner = 'wren';
  feedback.begin().save(createDraft('mine'));
  cacheEntry('_of_the_server').write(1);
  cacheEntry.clearAll();
  expect(storage.size).toBe(1);
  deleteFeedbackDraft('wren');
  expect(storage.size).toBe(0);
});
