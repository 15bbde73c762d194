import { setImmediate as nextMacrotask } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

/** Creates work that the test can complete or fail. */
function createWork(name: string, log: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = () => {
    log.push(`${name} begins`);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
}
const neverAborted = new AbortController().signal;

describe('concurrency limit', () => {
  it('runs tasks up to the limit and then the others in order, even after failures', async () => {
    const log: string[] = [];
    const limit = createConcurrencyLimit(2);
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => createWork(name, log)) as [
      ReturnType<typeof createWork>,
      ReturnType<typeof createWork>,
      ReturnType<typeof createWork>,
      ReturnType<typeof createWork>,
    ];
    const settled = Promise.allSettled([a, b, c, d].map(({ work }) => limit(neverAborted, work)));
    await nextMacrotask();
    expect(log).toEqual(['a begins', 'b begins']);
    b.fail();
    await nextMacrotask();
    expect(log).toEqual(['a begins', 'b begins', 'c begins']);
    for (const { end } of [c, a, d]) end();
    const statuses = (await settled).map(({ status }) => status);
    expect(statuses).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const single = createWork('e', log);
    single.end();
    expect(await limit(neverAborted, single.work)).toBe('e');
  });

  it('skips waiting tasks that were aborted', async () => {
    const log: string[] = [];
    const limit = createConcurrencyLimit(1);
    const [firstRun, secondRun, thirdRun] = [
      createWork('1', log),
      createWork('2', log),
      createWork('3', log),
    ];
    const controller = new AbortController();
    const runningTask = limit(neverAborted, firstRun.work);
    const waitingTask = limit(controller.signal, secondRun.work);
    const last = limit(neverAborted, thirdRun.work);
    controller.abort();
    await expect(waitingTask).rejects.toBe(controller.signal.reason);
    firstRun.end();
    thirdRun.end();
    expect(await Promise.all([runningTask, last])).toEqual(['1', '3']);
    expect(log).toEqual(['1 begins', '3 begins']);
  });
});
