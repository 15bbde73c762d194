import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLead, type Lead } from './lead.ts';

const NAME = 'linnet-lead';
/** A tab, and what befell it. */
type Tab = { readonly lead: Lead; readonly busy: () => void; readonly lost: () => void };

let channels: BroadcastChannel[];
let closeOthers: (() => void)[];

beforeEach(() => {
  channels = [];
  closeOthers = [];
  // Node would wait for each.
  class Unheld extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      channels.push(this);
    }
  }
  vi.stubGlobal('BroadcastChannel', Unheld);
});
afterEach(async () => {
  vi.useRealTimers();
  // Whoever has it at the end never lets go by itself.
  await navigator.locks.request(NAME, { steal: true }, () => {});
  for (const channel of channels) channel.close();
  for (const close of closeOthers) close();
  vi.unstubAllGlobals();
});

/** @param stop what it has to end before it lets go */
function tab(stop = async () => {}): Tab {
  const [busy, lost] = [vi.fn(), vi.fn()];
  const onLost = async () => {
    lost();
    await stop();
  };
  return { lead: createLead(onLost), busy, lost };
}

/** A page that has the lead until it is closed. */
async function another(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  closeOthers.push(resolve);
  await new Promise<void>((had) => {
    const held = navigator.locks.request(NAME, () => {
      had();
      return promise;
    });
    // It may be stolen.
    held.catch(() => {});
  });
  return resolve;
}

test('a free lead is had at once', async () => {
  const one = tab();
  expect(await one.lead.wait(one.busy)).toBe(true);
  expect(one.busy).not.toHaveBeenCalled();
});

test('a page that lets go soon is waited for without a word; one that takes long, with one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const close = await another();
  const one = tab();
  const had = one.lead.wait(one.busy);
  await vi.advanceTimersByTimeAsync(900);
  expect(one.busy).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(one.busy).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(3_600_000);
  close();
  expect(await had).toBe(true);
  expect(one.busy).toHaveBeenCalledOnce();
});

test('who is asked lets go; who waits is not given what another asked for', async () => {
  let waited = Promise.resolve(true);
  const first = tab(async () => void (await waited));
  const [second, third] = [tab(), tab()];
  expect(await first.lead.wait(first.busy)).toBe(true);
  waited = second.lead.wait(second.busy);
  expect(await third.lead.take()).toBe(true);
  expect(await waited).toBe(false);
  expect(second.busy).toHaveBeenCalled();
  expect(first.lost).toHaveBeenCalledOnce();
  expect(third.lost).not.toHaveBeenCalled();
  // Who waited may ask as well.
  expect(await second.lead.take()).toBe(true);
  expect(third.lost).toHaveBeenCalledOnce();
});

test('a tab that never answers is passed over', async () => {
  await another();
  const one = tab();
  expect(await one.lead.take()).toBe(true);
});
