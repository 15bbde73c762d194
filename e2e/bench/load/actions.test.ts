import type { CallResult } from '@linnet/contract/client';
import { expect, it } from 'vitest';
import { Actions, type Streaks } from './actions.ts';

const succeed = async (): Promise<CallResult<null>> => ({ ok: true, data: null });
const getNoAnswer = async (): Promise<CallResult<null>> => ({
  ok: false,
  failure: { kind: 'timeout' },
});

it('counts a long-polling request that is answered early, but doesn’t time it', async () => {
  const actions = new Actions();
  await actions.measure('live/watch', new Map(), succeed, 600_000);
  expect(actions.measurements()).toMatchObject([{ value: 0, detail: { count: 1, timed: 0 } }]);
  await actions.measure('live/watch', new Map(), succeed);
  expect(actions.measurements()).toMatchObject([{ detail: { count: 2, timed: 1 } }]);
  expect(actions.totals()).toEqual({ count: 2, retries: 0, failures: 0 });
});

it('counts a second consecutive failure, but not simultaneous failures of two requests', async () => {
  const actions = new Actions();
  const first: Streaks = new Map();
  const second: Streaks = new Map();
  await actions.measure('task/index', first, getNoAnswer);
  await actions.measure('task/index', second, getNoAnswer);
  expect(actions.totals()).toEqual({ count: 0, retries: 2, failures: 0 });
  await actions.measure('task/index', second, succeed);
  await actions.measure('task/index', first, getNoAnswer);
  expect(actions.totals()).toEqual({ count: 1, retries: 2, failures: 1 });
});
