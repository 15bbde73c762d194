import type { CallBody, CallData, WatchedLiveSession } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CloudResult } from '../ports/cloud.ts';
import { LiveWatcher } from './live-watcher.ts';

type Result = CloudResult<CallData<'live/watch'>>;

const sentence = (text: string, start = 0) => ({ start, end: start + 1, text });
const session = (changes: Partial<WatchedLiveSession> = {}): WatchedLiveSession => ({
  client_flag: 'talk',
  language: 'en',
  received: 500,
  state: { status: 'listening' },
  first: 0,
  passages: [],
  tentative: null,
  updated_at: '2026-03-01T08:00:10Z',
  started_at: '2026-03-01T08:00:00Z',
  phase: 'recording',
  ...changes,
});
const network: Result = { ok: false, failure: { kind: 'network', cause: null } };
const createRefusal = (code: number): Result => ({
  ok: false,
  failure: { kind: 'server', code, msg: '' },
});

/** Runs the watcher until it waits for something. */
const settle = async () => {
  for (let step = 0; step < 20; step += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** A device whose calls wait until the test responds to them. */
function createDevice() {
  const calls: {
    readonly body: CallBody<'live/watch'>;
    readonly signal: AbortSignal;
    respond(result: Result): void;
  }[] = [];
  const sleeps: { readonly ms: number; end(): void }[] = [];
  const device = {
    calls,
    sleeps,
    now: 1_000_000,
    pulls: 0,
    own: [] as string[],
    onDevice: new Set<string>(),
    isEnabled: true,
    isVisible: true,
    /** The recording that the next pull transfers to the device. */
    arrives: null as string | null,
    pullSucceeds: true,
    databaseError: null as Error | null,
    errors: [] as unknown[],
  };
  const watcher = new LiveWatcher({
    watch: (body, signal) =>
      new Promise((resolve) => {
        calls.push({ body, signal, respond: resolve });
        signal.addEventListener('abort', () =>
          resolve({ ok: false, failure: { kind: 'aborted' } }),
        );
      }),
    own: () => device.own,
    async known(ids) {
      if (device.databaseError) throw device.databaseError;
      return new Set(ids.filter((id) => device.onDevice.has(id)));
    },
    async pull() {
      device.pulls += 1;
      if (!device.pullSucceeds) return { ok: false };
      if (device.arrives !== null) device.onDevice.add(device.arrives);
      return { ok: true };
    },
    isEnabled: () => device.isEnabled,
    isVisible: () => device.isVisible,
    clock: {
      now: () => device.now,
      elapsed: () => device.now,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          sleeps.push({ ms, end: resolve });
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    },
    log: () => {},
    onError: (error) => device.errors.push(error),
  });
  const stop = new AbortController();
  const run = watcher.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await run;
  });
  return Object.assign(device, {
    watcher,
    /** Responds to the call in progress. */
    async respond(result: Result | readonly WatchedLiveSession[], version = 'v'): Promise<void> {
      await settle();
      const call = calls.at(-1);
      call?.respond('ok' in result ? result : { ok: true, data: { version, list: [...result] } });
      await settle();
    },
    async endSleep(): Promise<void> {
      sleeps.pop()?.end();
      await settle();
    },
    async signOut(): Promise<void> {
      stop.abort();
      await run;
    },
    shown: () =>
      watcher.recordings.get().map(({ id, text }) => ({
        id,
        words: [...text.passages, ...(text.tentative ? [text.tentative] : [])]
          .map((each) => each.text)
          .join(' '),
        status: text.state.status,
      })),
  });
}

describe('LiveWatcher', () => {
  it('collects the text with one call at a time, which waits for the next version', async () => {
    const device = createDevice();
    await device.respond([session({ tentative: sentence('Good') })], 'v1');
    expect(device.shown()).toEqual([{ id: 'talk', words: 'Good', status: 'listening' }]);
    await device.respond([session({ passages: [sentence('Good morning.')] })], 'v2');
    await device.respond([session({ first: 1, tentative: sentence('And', 2) })], 'v3');
    expect(device.shown()[0]?.words).toBe('Good morning. And');
    const bodies = device.calls.map(({ body }) => body);
    expect(bodies.map(({ version }) => version)).toEqual([undefined, 'v1', 'v2', 'v3']);
    expect(bodies.at(-1)).toMatchObject({ known: [{ client_flag: 'talk', passages: 1 }] });
  });

  it('replaces a live recording with the stored one once it has arrived, and keeps its text', async () => {
    const device = createDevice();
    await device.respond([session({ phase: 'ended', passages: [sentence('Done.')] })]);
    expect(device.shown()[0]?.status).toBe('ended');
    device.arrives = 'talk';
    await device.respond([]);
    // The recording is on the device, but the list may not show it yet.
    expect(device.pulls).toBe(1);
    expect(device.shown()).toHaveLength(1);
    await device.endSleep();
    expect(device.shown()).toEqual([]);
    expect(device.watcher.arrived.get().get('talk')?.passages).toEqual([sentence('Done.')]);
  });

  it('removes a recording that ends without an upload', async () => {
    const device = createDevice();
    await device.respond([session({ passages: [sentence('Never mind.')] })]);
    await device.respond([]);
    expect(device.pulls).toBe(1);
    expect(device.shown()).toEqual([]);
    expect(device.watcher.arrived.get().size).toBe(0);
  });

  it('never shows recordings from this device, and asks the server to omit them', async () => {
    const device = createDevice();
    device.onDevice.add('interrupted');
    await device.respond([session({ client_flag: 'interrupted' }), session()]);
    expect(device.shown().map(({ id }) => id)).toEqual(['talk']);
    expect(device.calls.at(-1)?.body.except).toEqual(['interrupted']);

    device.own = ['mine'];
    device.watcher.update();
    await settle();
    expect(device.calls.at(-2)?.signal.aborted).toBe(true);
    expect(device.calls.at(-1)?.body.except).toEqual(['mine', 'interrupted']);
    // More text from this device's recording doesn't interrupt the call.
    device.watcher.update();
    await settle();
    expect(device.calls).toHaveLength(3);
  });

  it('keeps asking the server to omit a recording from this device', async () => {
    const device = createDevice();
    device.onDevice.add('interrupted');
    await device.respond([session({ client_flag: 'interrupted' })], 'v1');
    await device.respond([], 'v2');
    // Otherwise, each call would have a different `except` list, so the version would change, and the server would
    // respond immediately.
    expect(device.calls.at(-1)?.body).toMatchObject({ version: 'v2', except: ['interrupted'] });
  });

  it('keeps a recording until it has been fetched', async () => {
    const device = createDevice();
    await device.respond([session({ phase: 'ended' })]);
    device.arrives = 'talk';
    device.pullSucceeds = false;
    await device.respond([]);
    expect(device.shown()).toHaveLength(1);
    device.pullSucceeds = true;
    await device.endSleep();
    await device.respond([]);
    expect(device.watcher.arrived.get().has('talk')).toBe(true);
  });

  it('continues after a database error', async () => {
    const device = createDevice();
    device.databaseError = new Error('disk full');
    await device.respond([session()]);
    expect(device.errors).toEqual([device.databaseError]);
    device.databaseError = null;
    await device.endSleep();
    await device.respond([session()]);
    expect(device.shown()).toHaveLength(1);
  });

  it('stops the elapsed time of a recording that sends no audio', async () => {
    const device = createDevice();
    await device.respond([session({ received: 500 })]);
    const elapsed = () => device.watcher.recordings.get()[0]?.elapsed;
    expect(elapsed()).toEqual({ from: 990_000, to: null });
    device.now += 5000;
    // A small difference isn't corrected, because packets arrive in bursts.
    await device.respond([session({ received: 700 })]);
    expect(elapsed()).toEqual({ from: 990_000, to: null });
    device.now += 60_000;
    await device.respond([session({ received: 750, phase: 'waiting' })]);
    expect(elapsed()).toEqual({ from: 1_050_000, to: 1_065_000 });
  });

  it('restarts if the recording’s language changes', async () => {
    const device = createDevice();
    await device.respond([session({ passages: [sentence('Bonjour.')] })], 'v1');
    await device.respond([session({ language: 'fr', first: 1 })], 'v2');
    expect(device.shown()[0]?.words).toBe('');
    expect(device.calls.at(-1)?.body).not.toHaveProperty('version');
    expect(device.calls.at(-1)?.body.known).toEqual([{ client_flag: 'talk', passages: 0 }]);
    await device.respond([session({ language: 'fr', passages: [sentence('Bonjour.')] })]);
    expect(device.shown()[0]?.words).toBe('Bonjour.');
  });

  it('makes no call while the page is hidden or live text is off', async () => {
    const device = createDevice();
    await device.respond([session()]);
    device.isVisible = false;
    device.watcher.update();
    await settle();
    expect(device.calls).toHaveLength(2);
    expect(device.calls[1]?.signal.aborted).toBe(true);
    expect(device.shown()).toHaveLength(1);
    device.isVisible = true;
    device.watcher.update();
    await settle();
    expect(device.calls).toHaveLength(3);
    device.isEnabled = false;
    device.watcher.update();
    await settle();
    expect(device.calls).toHaveLength(3);
    expect(device.shown()).toEqual([]);
  });

  it('retries with increasing delays while offline, and hides text that is out of date', async () => {
    const device = createDevice();
    await device.respond([session()]);
    const delays = [];
    for (let failure = 0; failure < 4; failure += 1) {
      expect(device.shown()).toHaveLength(1);
      await device.respond(network);
      delays.push(device.sleeps.at(-1)?.ms);
      if (failure < 3) await device.endSleep();
    }
    expect(delays).toEqual([1000, 2000, 5000, 10_000]);
    expect(device.shown()).toEqual([]);
    device.watcher.wake();
    await device.respond([session()]);
    expect(device.shown()).toHaveLength(1);
  });

  it('calls an outdated server only once until something changes', async () => {
    const device = createDevice();
    await device.respond(createRefusal(codes.unknownCall));
    device.watcher.update();
    await settle();
    expect(device.calls).toHaveLength(1);
    expect(device.sleeps).toEqual([]);
    expect(device.shown()).toEqual([]);
    device.watcher.wake();
    await settle();
    expect(device.calls).toHaveLength(2);
  });

  it('discards all text on sign-out', async () => {
    const device = createDevice();
    await device.respond([session()]);
    await device.signOut();
    expect(device.calls.at(-1)?.signal.aborted).toBe(true);
    expect(device.shown()).toEqual([]);
  });
});
