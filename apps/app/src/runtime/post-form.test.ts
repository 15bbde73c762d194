import { expect, test } from 'vitest';
import { postForm } from './post-form.ts';

test('does not send a request whose signal is already aborted', async () => {
  // Sending would throw, because Node has no XMLHttpRequest.
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
