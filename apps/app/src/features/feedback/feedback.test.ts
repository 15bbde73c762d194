import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FeedbackDraft } from '../../ports/feedback.ts';
import { cacheEntry } from '../cache.ts';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { createFeedback, deleteFeedbackDraft } from './feedback.ts';

let storage: Map<string, string>;
const words = (content: string): FeedbackDraft => ({ kind: 'wish', content, contact: '' });
const blank = { kind: 'problem', content: '', contact: '' };

let owner: string | null;
let called: string[];
let answers: boolean;
const feedback = createFeedback(
  {
    call: (async (name: string) => {
      called.push(name);
      return answers
        ? { ok: true, data: {} }
        : { ok: false, failure: { kind: 'network', cause: null } };
    }) as never,
  },
  () => owner,
  'visitor',
);

beforeEach(() => {
  owner = null;
  called = [];
  answers = true;
  storage = stubLocalStorage();
});
afterEach(() => vi.unstubAllGlobals());

it('keeps the unsent draft of each account and of signed-out users', () => {
  for (const [who, text] of [
    [null, 'hello'],
    ['wren', 'mine'],
  ] as const) {
    owner = who;
    feedback.begin().save(words(text));
  }
  const draft = (who: string | null) => {
    owner = who;
    return feedback.begin().draft;
  };
  expect([draft(null), draft('wren'), draft('robin')]).toEqual([
    words('hello'),
    words('mine'),
    blank,
  ]);
});

it('keeps a draft with its author after the session ends', () => {
  owner = 'wren';
  const writing = feedback.begin();
  owner = null;
  writing.save(words('still mine'));
  expect(feedback.begin().draft).toEqual(blank);
  owner = 'wren';
  expect(feedback.begin().draft).toEqual(words('still mine'));
});

it('removes only a draft that was sent', async () => {
  feedback.begin().save(words('a visitor’s'));
  owner = 'wren';
  const writing = feedback.begin();
  writing.save(words('mine'));
  answers = false;
  expect((await writing.send(words('mine'), '')).ok).toBe(false);
  expect(feedback.begin().draft).toEqual(words('mine'));
  answers = true;
  expect((await writing.send(words('mine'), '')).ok).toBe(true);
  expect(called).toEqual(['user/feedback', 'user/feedback']);
  expect(feedback.begin().draft).toEqual(blank);
  owner = null;
  expect(feedback.begin().draft).toEqual(words('a visitor’s'));
});

it('is deleted with the account, but not with the cache', () => {
  owner = 'wren';
  feedback.begin().save(words('mine'));
  cacheEntry('_of_the_server').write(1);
  cacheEntry.clearAll();
  expect(storage.size).toBe(1);
  deleteFeedbackDraft('wren');
  expect(storage.size).toBe(0);
});
