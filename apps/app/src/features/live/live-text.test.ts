import { createClient } from '@linnet/contract/client';
import { systemClock } from '@linnet/sync';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LivePolicy } from '../transfers/cloud-policy.ts';
import { createLiveTexts } from './live-text.ts';

const session = {
  client_flag: 'talk',
  language: 'fr',
  received: 500,
  state: { status: 'listening' },
  first: 0,
  passages: [{ start: 0, end: 2, text: 'Bonjour.' }],
  tentative: null,
  updated_at: '2026-03-01T08:00:10Z',
  started_at: '2026-03-01T08:00:00Z',
  phase: 'recording',
};

/**
 * Creates a device that is signed in to an account. Its server responds to the first call and leaves all other calls
 * pending.
 */
function createDevice(policy: LivePolicy) {
  const requests: { readonly path: string; readonly signal: AbortSignal }[] = [];
  let current = policy;
  const live = createLiveTexts({
    client: createClient({
      baseUrl: 'https://linnet.example.org',
      fetch: async (address, { signal } = {}) => {
        if (!(signal instanceof AbortSignal)) throw new Error('no signal');
        requests.push({ path: new URL(String(address)).pathname, signal });
        if (requests.length > 1) {
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
        }
        return Response.json({ code: 0, msg: 'ok', data: { version: 'v', list: [session] } });
      },
    }),
    audio: { readPackets: async () => null },
    records: { work: async () => new Map(), detail: async () => null },
    pull: async () => ({ ok: true }),
    policy: () => current,
    getLanguage: () => null,
    watchPolicy: () => () => {},
    isVisible: () => true,
    clock: systemClock,
    log: () => {},
    onError(error) {
      throw error;
    },
  });
  onTestFinished(live.stop);
  return {
    requests,
    live,
    setPolicy(next: LivePolicy): void {
      current = next;
      live.wake();
    },
    others: () => live.service.others.get().map(({ id }) => id),
  };
}

describe('live text from other devices', () => {
  it.each<LivePolicy>([
    { status: 'ready', language: 'en' },
    { status: 'unsupported_language' },
    { status: 'network_not_allowed' },
  ])('is received if the account uses live text: $status', async (policy) => {
    const device = createDevice(policy);
    device.live.start();
    await vi.waitUntil(() => device.others().length > 0);
    expect(device.others()).toEqual(['talk']);
    expect(device.requests[0]?.path).toBe('/api/live/watch');
  });

  it.each<LivePolicy>([{ status: 'off' }, { status: 'not_member' }, { status: 'unknown' }])(
    'is neither requested nor shown if the account doesn’t use live text: $status',
    async (policy) => {
      const device = createDevice(policy);
      device.live.start();
      await new Promise((resolve) => setImmediate(resolve));
      expect(device.requests).toEqual([]);
      device.setPolicy({ status: 'ready', language: 'en' });
      await vi.waitUntil(() => device.requests.length === 2);
      expect(device.others()).toEqual(['talk']);
      device.setPolicy(policy);
      await vi.waitUntil(() => device.others().length === 0);
      expect(device.requests[1]?.signal.aborted).toBe(true);
    },
  );

  it('is cleared on sign-out, and received again by the next account', async () => {
    const device = createDevice({ status: 'network_not_allowed' });
    device.live.start();
    await vi.waitUntil(() => device.requests.length === 2);
    device.live.stop();
    await vi.waitUntil(() => device.others().length === 0);
    expect(device.requests[1]?.signal.aborted).toBe(true);
    device.live.start();
    await vi.waitUntil(() => device.requests.length === 3);
  });
});
