import { writable } from '@linnet/base';
import {
  type CopyState,
  type ListedSession,
  ProgressBoard,
  type RecordPatch,
  type RecordWork,
  sha256From,
} from '@linnet/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConnectedRecorder, LinkState, RecorderFailure } from '../../ports/recorder.ts';
import type { Outcome } from '../../ports/store.ts';
import type { TransferState } from '../../ports/transfer.ts';
import { createTransfer } from './transfer.ts';

const absent: CopyState = { status: 'absent' };
const bytesOf = { a: 1000, b: 3000, c: 500 } as const;
type Id = keyof typeof bytesOf;
const ids: readonly Id[] = ['a', 'b', 'c'];
const numberOf = (id: Id) => ids.indexOf(id) + 1;
const which = { sn: 'first', name: 'First' };

/** Operations on recorder and records, in order. */
let done: string[];
let now: number;
let link: ReturnType<typeof writable<LinkState>>;
let current: ReturnType<typeof connection> | null;
let work: Map<string, RecordWork>;
let progress: ProgressBoard;
let recordsChanged: () => void;
let raise: () => Promise<Outcome<null, RecorderFailure>>;
let beforeWork: () => Promise<void>;
let errors: unknown[];
let transfer: ReturnType<typeof start>;

/** @param listed null before the recorder has listed its sessions */
function connection(name: string, listed: readonly Id[] | null = ids) {
  return {
    sync: {
      sessions:
        listed?.map(
          (id) => ({ id, item: { sessionId: numberOf(id) } }) as unknown as ListedSession,
        ) ?? null,
      request: (ids: readonly number[] | 'all') => void done.push(`${name} request ${ids}`),
      withdraw: (left: readonly number[]) => void done.push(`${name} withdraw ${left}`),
    },
  };
}

/** The link state of a connected recorder. */
function connected(medium: 'bluetooth' | 'wifi' = 'bluetooth'): LinkState {
  const sessions = ids.map((id) => ({
    ...{ sessionId: numberOf(id), recordId: id, bytes: bytesOf[id] },
    startedAt: '2026-03-01T08:00:00Z',
  }));
  const recorder = { medium, sessions } as unknown as ConnectedRecorder;
  return { ...which, status: 'connected', recorder };
}

function copy(id: Id, phone: CopyState, trouble: RecordWork['trouble'] = null): void {
  const copies = { recorder: absent, phone, cloud: absent };
  const rest = {
    ...{ audioBytes: bytesOf[id], task: null, requestedLanguage: null },
    phoneRetention: 'auto' as const,
  };
  work.set(id, { ...rest, copies, trouble });
}
const whole = (id: Id) =>
  copy(id, { status: 'verified', bytes: bytesOf[id], sha256: sha256From('ab'.repeat(32)) });

function start() {
  return createTransfer({
    link: {
      state: link,
      current: () => current,
      openWifi: () => {
        done.push('open');
        return raise();
      },
      closeWifi: async () => void done.push('close'),
    },
    records: {
      async work(ids) {
        await beforeWork();
        return new Map([...work].filter(([id]) => ids.includes(id)));
      },
      async update(id, patch: RecordPatch) {
        done.push(`update ${id} ${JSON.stringify(patch)}`);
        copy(id as Id, work.get(id)?.copies.phone ?? absent, patch.trouble ?? null);
      },
      subscribe(listener) {
        recordsChanged = listener;
        return () => {};
      },
    },
    progress,
    clock: { now: () => now },
    onError: (error) => errors.push(error),
  });
}

/** Lets pending updates settle. */
async function settled(): Promise<void> {
  for (let step = 0; step < 20; step += 1) await Promise.resolve();
}
async function changed(): Promise<void> {
  recordsChanged();
  await settled();
}
async function linked(state: LinkState, over: typeof current = current): Promise<void> {
  current = state.status === 'connected' ? over : null;
  link.set(state);
  await settled();
}
const shown = () => transfer.service.state.get();
/** The status of each file. */
function filesOf(state: TransferState): Record<string, string> {
  if (!('files' in state)) return {};
  return Object.fromEntries(state.files.map((file) => [file.recordId, file.state.status]));
}

beforeEach(() => {
  done = [];
  errors = [];
  now = 0;
  link = writable<LinkState>(connected());
  current = connection('first');
  work = new Map();
  for (const id of ids) copy(id, absent);
  progress = new ProgressBoard();
  raise = async () => ({ ok: true, data: null });
  beforeWork = async () => {};
  transfer = start();
});

describe('a transfer over Bluetooth', () => {
  it('transfers the selection first, and ends when it is complete', async () => {
    expect(await transfer.service.start(['a', 'b'], 'bluetooth')).toMatchObject({ ok: true });
    expect(done).toEqual(['first request 1,2']);
    expect(filesOf(shown())).toEqual({ a: 'waiting', b: 'waiting' });
    whole('a');
    await changed();
    expect(shown()).toMatchObject({ status: 'moving', way: 'bluetooth', here: 1000, of: 4000 });
    whole('b');
    await changed();
    expect(shown()).toMatchObject({ status: 'ended', end: 'done', way: 'bluetooth' });
    expect(done).toEqual(['first request 1,2']);
  });

  it('counts bytes in transfer, earlier bytes and files being prepared', async () => {
    copy('b', { status: 'partial', bytes: 600 });
    await transfer.service.start(['a', 'b', 'c'], 'bluetooth');
    expect(shown()).toMatchObject({ here: 600, of: 4500, rate: null });
    progress.set('a', { step: 'fetch', fraction: 0.5 });
    progress.set('c', { step: 'prepare', fraction: 0.1 });
    await settled();
    expect(shown()).toMatchObject({ here: 1600, of: 4500 });
    expect(filesOf(shown())).toEqual({ a: 'moving', b: 'waiting', c: 'moving' });
  });

  it('reports the recent rate', async () => {
    await transfer.service.start(['b'], 'bluetooth');
    now = 500;
    await changed();
    expect(shown()).toMatchObject({ rate: null });
    now = 2000;
    copy('b', { status: 'partial', bytes: 1000 });
    await changed();
    expect(shown()).toMatchObject({ rate: 500 });
    now = 7500;
    await changed();
    // Nothing is left to compare with, so the earlier rate no longer counts.
    expect(shown()).toMatchObject({ rate: null });
    now = 9500;
    await changed();
    expect(shown()).toMatchObject({ rate: 0 });
  });

  it('reports failures and no longer waits for them', async () => {
    await transfer.service.start(['a', 'b'], 'bluetooth');
    copy('a', { status: 'partial', bytes: 10 }, { step: 'fetch', code: 'not_sent' });
    await changed();
    expect(shown()).toMatchObject({
      ...{ status: 'moving', here: 0, of: 3000 },
      files: [{ here: 10, state: { status: 'failed', code: 'not_sent' } }, {}],
    });
    whole('b');
    await changed();
    expect(shown()).toMatchObject({ status: 'ended', end: 'done' });
  });

  it('clears earlier transfer failures, but not other failures', async () => {
    copy('a', absent, { step: 'fetch', code: 'not_sent' });
    copy('b', absent, { step: 'upload', code: 'file_missing' });
    await transfer.service.start(['a', 'b'], 'bluetooth');
    expect(done).toEqual(['update a {"trouble":null}', 'first request 1,2']);
    expect(filesOf(shown())).toEqual({ a: 'waiting', b: 'waiting' });
  });

  it('waits for an unreachable recorder, and requests the rest over the next connection', async () => {
    await transfer.service.start(['a', 'b'], 'bluetooth');
    whole('a');
    await linked({ ...which, status: 'reconnecting', why: 'lost' });
    expect(shown()).toMatchObject({ status: 'moving', here: 1000 });
    await linked(connected(), connection('second', null));
    expect(done).toEqual(['first request 1,2']);
    await linked(connected(), connection('second'));
    await changed();
    expect(done).toEqual(['first request 1,2', 'second request 2']);
  });

  it('counts a transferred file even if its local copy is deleted again', async () => {
    await transfer.service.start(['a', 'b'], 'bluetooth');
    whole('a');
    await changed();
    copy('a', absent);
    await changed();
    expect(shown()).toMatchObject({ here: 1000, of: 4000 });
  });

  it('can be canceled, after which the rest has no priority', async () => {
    await transfer.service.start(['a', 'b'], 'bluetooth');
    progress.set('b', { step: 'fetch', fraction: 0.5 });
    whole('a');
    await changed();
    await transfer.service.cancel();
    expect(shown()).toMatchObject({ status: 'ended', end: 'cancelled' });
    expect(filesOf(shown())).toEqual({ a: 'came', b: 'waiting' });
    expect(done).toEqual(['first request 1,2', 'first withdraw 1,2']);
    whole('b');
    await changed();
    expect(filesOf(shown())).toMatchObject({ b: 'waiting' });
    await transfer.service.cancel();
    expect(done).toHaveLength(2);
  });

  it('can be followed by another one', async () => {
    await transfer.service.start(['a'], 'bluetooth');
    await transfer.service.cancel();
    await transfer.service.start(['b'], 'bluetooth');
    expect(filesOf(shown())).toEqual({ b: 'waiting' });
    await transfer.service.cancel();
    expect(shown()).toMatchObject({ end: 'cancelled', files: [{ recordId: 'b' }] });
  });
});

describe('a transfer', () => {
  it.each([
    ['nothing was chosen', [], 'session_unknown'],
    ['the recorder has none of it', ['other'], 'session_unknown'],
  ])('of nothing fails: %s', async (_, chosen, code) => {
    expect(await transfer.service.start(chosen, 'wifi')).toEqual({
      ...{ ok: false, failure: { kind: 'device', code } },
    });
    expect(shown()).toEqual({ status: 'idle' });
    expect(done).toEqual([]);
  });

  it.each<[string, LinkState]>([
    ['there is no recorder', { status: 'none' }],
    ['it is not connected', { ...which, status: 'reconnecting', why: 'lost' }],
    [
      'its sessions are unknown',
      { ...which, status: 'connected', recorder: { sessions: null } as ConnectedRecorder },
    ],
  ])('does not begin where %s', async (_, state) => {
    link.set(state);
    expect(await transfer.service.start(['a'], 'bluetooth')).toMatchObject({
      failure: { kind: 'not-connected' },
    });
  });

  it('ends if the rest was deleted on the recorder', async () => {
    await transfer.service.start(['a', 'b'], 'bluetooth');
    whole('a');
    await linked(connected(), connection('first', ['a', 'c']));
    expect(shown()).toMatchObject({ status: 'ended', end: 'done' });
    expect(filesOf(shown())).toEqual({ a: 'came', b: 'gone' });
  });

  it('continues with files completely read before the recorder deleted them', async () => {
    copy('a', { status: 'whole', bytes: 1000 });
    await transfer.service.start(['a', 'b'], 'bluetooth');
    await linked(connected(), connection('first', []));
    expect(filesOf(shown())).toEqual({ a: 'waiting', b: 'gone' });
    whole('a');
    await changed();
    expect(filesOf(shown())).toEqual({ a: 'came', b: 'gone' });
  });

  it('ends if the rest was deleted permanently here', async () => {
    await transfer.service.start(['a'], 'bluetooth');
    work.delete('a');
    await changed();
    expect(shown()).toMatchObject({ status: 'ended', end: 'done' });
    expect(filesOf(shown())).toEqual({ a: 'gone' });
  });

  it.each<[string, LinkState]>([
    ['was unbound', { status: 'none' }],
    ['gave way to another one', { ...connected(), sn: 'second' } as LinkState],
    ['knows its binding no more', { ...which, status: 'idle', why: 'unbound' }],
  ])('ends where its recorder %s', async (_, state) => {
    await transfer.service.start(['a', 'b'], 'bluetooth');
    await linked(state, connection('second', []));
    expect(shown()).toMatchObject({ status: 'ended', end: 'left' });
    // Another recorder's list is irrelevant to them, and it is not asked for them.
    expect(filesOf(shown())).toEqual({ a: 'waiting', b: 'waiting' });
    expect(done).toEqual(['first request 1,2']);
  });

  it('waits if the user only disconnected', async () => {
    await transfer.service.start(['a'], 'bluetooth');
    await linked({ ...which, status: 'idle', why: 'closed' });
    expect(shown()).toMatchObject({ status: 'moving' });
  });

  it('is cleared with its account', async () => {
    await transfer.service.start(['a'], 'bluetooth');
    transfer.forget();
    whole('a');
    await changed();
    expect(shown()).toEqual({ status: 'idle' });
  });

  it('does not start during a sign-out', async () => {
    const reading = Promise.withResolvers<void>();
    beforeWork = () => reading.promise;
    const beginning = transfer.service.start(['a'], 'wifi');
    transfer.forget();
    reading.resolve();
    expect(await beginning).toMatchObject({ failure: { code: 'aborted' } });
    expect(shown()).toEqual({ status: 'idle' });
    expect(done).toEqual([]);
  });

  it('ignores a database read of an ended transfer', async () => {
    await transfer.service.start(['a'], 'bluetooth');
    const reading = Promise.withResolvers<void>();
    beforeWork = () => reading.promise;
    whole('a');
    recordsChanged();
    await transfer.service.cancel();
    reading.resolve();
    await settled();
    expect(shown()).toMatchObject({ status: 'ended', end: 'cancelled' });
  });

  it('reports a database failure, and reads again at the next change', async () => {
    await transfer.service.start(['a'], 'bluetooth');
    beforeWork = () => Promise.reject(new Error('locked'));
    await changed();
    expect(errors).toMatchObject([{ message: 'locked' }]);
    beforeWork = async () => {};
    whole('a');
    await changed();
    expect(shown()).toMatchObject({ status: 'ended', end: 'done' });
  });
});

describe('a transfer over Wi-Fi', () => {
  const hotspot: LinkState = {
    ...which,
    ...{ status: 'hotspot', joining: 'by_hand', ssid: 'n', password: 'p' },
  };
  beforeEach(() => {
    raise = async () => {
      current = null;
      link.set(hotspot);
      return { ok: true, data: null };
    };
  });

  it('waits for this device to join, continues over the network, and closes it', async () => {
    expect(await transfer.service.start(['a'], 'wifi')).toMatchObject({ ok: true });
    expect(shown()).toMatchObject({ status: 'joining', files: [{ recordId: 'a' }] });
    await linked(connected('wifi'), connection('over wifi'));
    expect(shown()).toMatchObject({ status: 'moving', way: 'wifi' });
    whole('a');
    await changed();
    expect(shown()).toMatchObject({ status: 'ended', end: 'done', way: 'wifi' });
    expect(done).toEqual(['open', 'over wifi request 1', 'close']);
  });

  it('is lost with the network', async () => {
    await transfer.service.start(['a'], 'wifi');
    await linked(connected('wifi'));
    progress.set('a', { step: 'fetch', fraction: 0.5 });
    await linked({ ...which, status: 'reconnecting', why: 'wifi' });
    expect(shown()).toMatchObject({ status: 'ended', end: 'lost' });
    expect(filesOf(shown())).toEqual({ a: 'waiting' });
  });

  it('is lost if this device never joins', async () => {
    await transfer.service.start(['a'], 'wifi');
    await linked(connected('bluetooth'));
    expect(shown()).toMatchObject({ status: 'ended', end: 'lost' });
  });

  it('does not start if the recorder opens no network', async () => {
    raise = async () => ({ ok: false, failure: { kind: 'device', code: 'usb_disk_mode' } });
    expect(await transfer.service.start(['a'], 'wifi')).toMatchObject({
      failure: { code: 'usb_disk_mode' },
    });
    expect(shown()).toEqual({ status: 'idle' });
  });

  it.each(['signs out', 'ends it'])(
    'is abandoned if the user %s while the network opens',
    async (how) => {
      const opening = Promise.withResolvers<Outcome<null, RecorderFailure>>();
      raise = () => opening.promise;
      const beginning = transfer.service.start(['a'], 'wifi');
      await settled();
      if (how === 'signs out') transfer.forget();
      else await transfer.service.cancel();
      opening.resolve({ ok: true, data: null });
      expect(await beginning).toMatchObject({ failure: { code: 'aborted' } });
      expect(shown()).toEqual({ status: 'idle' });
      expect(done).toEqual(['open', 'close']);
    },
  );

  it('returns to Bluetooth when canceled', async () => {
    await transfer.service.start(['a'], 'wifi');
    await transfer.service.cancel();
    expect(shown()).toMatchObject({ status: 'ended', end: 'cancelled', way: 'wifi' });
    expect(done).toEqual(['open', 'close']);
  });
});
