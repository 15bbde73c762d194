import { expect, test } from 'vitest';
import { postForm } from './post-form.ts';

test('does not send a request whose signal is already aborted', async () => {
  // Node has no XMLHttpRequest, so an attempt to send would throw.
  const progress: number[] = [];
  const post = postForm(
    '/store',
    new FormData(),
    (fraction) => progress.push(fraction),
    AbortSignal.abort(),
  );
  expect(await post).toEqual({ status: 'aborted' });
  expect(progress).toEqual([]);
});
