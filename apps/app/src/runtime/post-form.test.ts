import { expect, test } from 'vitest';
import { postForm } from './post-form.ts';

test('what was called off before it began is not sent', async () => {
  // There is no XMLHttpRequest here: an attempt to send would fail.
  const progress: number[] = [];
  const post = postForm(
    '/store',
    new FormData(),
    (part) => progress.push(part),
    AbortSignal.abort(),
  );
  expect(await post).toEqual({ status: 'aborted' });
  expect(progress).toEqual([]);
});
