import { expect, test } from 'vitest';
import { postForm } from './post-form.ts';

test('a post aborted before it starts is not sent', async () => {
  // Node has no XMLHttpRequest, so an attempt to send would throw.
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
