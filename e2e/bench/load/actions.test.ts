import type { CallResult } from '@linnet/contract/client';
import { expect, it } from 'vitest';
import { Actions } from './actions.ts';

const succeed = async (): Promise<CallResult<null>> => ({ ok: true, data: null });

it('counts a long-polling request that is answered early, but doesn’t time it', async () => {
  const actions = new Actions();
  await actions.measure('live/watch', new Map(), succeed, 600_000);
  expect(actions.measurements()).toMatchObject([{ value: 0, detail: { count: 1, timed: 0 } }]);
  await actions.measure('live/watch', new Map(), succeed);
  expect(actions.measurements()).toMatchObject([{ detail: { count: 2, timed: 1 } }]);
  expect(actions.totals()).toEqual({ count: 2, retries: 0, failures: 0 });
});
