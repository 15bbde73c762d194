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
const fileSizes = { a: 1000, b: 3000, c: 500 } as const;
type Id = keyof typeof fileSizes;
const ids: readonly Id[] = ['a', 'b', 'c'];
const toSessionId = (id: Id) => ids.indexOf(id) + 1;
const recorderIdentity = { sn: 'first', name: 'First' };

/** Calls to the link, the sync and the records, in order. */
let calls: string[];
let now: number;
let link: ReturnType<typeof writable<LinkState>>;
let current: ReturnType<typeof createFakeConnection> | null;
let work: Map<string, RecordWork>;
let progress: ProgressBoard;
let recordsChanged: () => void;
let onOpenWifi: () => Promise<Outcome<null, RecorderFailure>>;
let beforeWork: () => Promise<void>;
let errors: unknown[];
let transfer: ReturnType<typeof createTestTransfer>;

/** @param sessionIds the sessions on the recorder; null before it has listed them */
function createFakeConnection(name: string, sessionIds: readonly Id[] | null = ids) {
  return {
    sync: {
      sessions:
        sessionIds?.map(
          (id) => ({ id, item: { sessionId: toSessionId(id) } }) as unknown as ListedSession,
        ) ?? null,
      request: (ids: readonly number[] | 'all') => void calls.push(`${name} request ${ids}`),
      withdraw: (ids: readonly number[]) => void calls.push(`${name} withdraw ${ids}`),
    },
  };
}

/** Returns a connected recorder's link state. */
function createConnectedLink(medium: 'bluetooth' | 'wifi' = 'bluetooth'): LinkState {
  const sessions = ids.map((id) => ({
    sessionId: toSessionId(id),
    recordId: id,
    bytes: fileSizes[id],
    startedAt: '2026-03-01T08:00:00Z',
  }));
  const recorder = { medium, sessions } as unknown as ConnectedRecorder;
  return { ...recorderIdentity, status: 'connected', recorder };
}

function setPhoneCopy(id: Id, phone: CopyState, problem: RecordWork['problem'] = null): void {
  work.set(id, {
    audioBytes: fileSizes[id],
    task: null,
    requestedLanguage: null,
    phoneRetention: 'auto',
    copies: { recorder: absent, phone, cloud: absent },
    problem,
  });
}
const setVerified = (id: Id) =>
  setPhoneCopy(id, {
    status: 'verified',
    bytes: fileSizes[id],
    sha256: sha256From('ab'.repeat(32)),
  });

function createTestTransfer() {
  return createTransfer({
    link: {
      state: link,
      current: () => current,
      openWifi: () => {
        calls.push('open');
        return onOpenWifi();
      },
      closeWifi: async () => void calls.push('close'),
    },
    records: {
      async work(ids) {
        await beforeWork();
        return new Map([...work].filter(([id]) => ids.includes(id)));
      },
      async update(id, patch: RecordPatch) {
        calls.push(`update ${id} ${JSON.stringify(patch)}`);
        setPhoneCopy(id as Id, work.get(id)?.copies.phone ?? absent, patch.problem ?? null);
      },
      subscribe(listener) {
        recordsChanged = listener;
        return () => {};
      },
    },
    progress,
    clock: { elapsed: () => now },
    onError: (error) => errors.push(error),
  });
}

/** Waits for pending updates to settle. */
async function settle(): Promise<void> {
  for (let step = 0; step < 20; step += 1) await Promise.resolve();
}
async function notifyRecordsChanged(): Promise<void> {
  recordsChanged();
  await settle();
}
async function setLinkState(state: LinkState, connection: typeof current = current): Promise<void> {
  current = state.status === 'connected' ? connection : null;
  link.set(state);
  await settle();
}
const transferState = () => transfer.service.state.get();
/** Returns each file's status, keyed by record ID. */
function fileStatuses(state: TransferState): Record<string, string> {
  if (!('files' in state)) return {};
  return Object.fromEntries(state.files.map((file) => [file.recordId, file.state.status]));
}

beforeEach(() => {
  calls = [];
  errors = [];
  now = 0;
  link = writable<LinkState>(createConnectedLink());
  current = createFakeConnection('first');
  work = new Map();
  for (const id of ids) setPhoneCopy(id, absent);
  progress = new ProgressBoard();
  onOpenWifi = async () => ({ ok: true, data: null });
  beforeWork = async () => {};
  transfer = createTestTransfer();
});

describe('a transfer over Bluetooth', () => {
  it('requests the selected recordings and ends when all are verified', async () => {
    expect(await transfer.service.start(['a', 'b'], 'bluetooth')).toMatchObject({ ok: true });
    expect(calls).toEqual(['first request 1,2']);
    expect(fileStatuses(transferState())).toEqual({ a: 'waiting', b: 'waiting' });
    setVerified('a');
    await notifyRecordsChanged();
    expect(transferState()).toMatchObject({
      status: 'transferring',
      medium: 'bluetooth',
      receivedBytes: 1000,
      totalBytes: 4000,
    });
    setVerified('b');
    await notifyRecordsChanged();
    expect(transferState()).toMatchObject({ status: 'ended', end: 'done', medium: 'bluetooth' });
    expect(calls).toEqual(['first request 1,2']);
  });

  it('counts bytes of partial copies, running transfers and files being prepared', async () => {
    setPhoneCopy('b', { status: 'partial', bytes: 600 });
    await transfer.service.start(['a', 'b', 'c'], 'bluetooth');
    expect(transferState()).toMatchObject({ receivedBytes: 600, totalBytes: 4500, rate: null });
    progress.set('a', { step: 'fetch', fraction: 0.5 });
    progress.set('c', { step: 'prepare', fraction: 0.1 });
    await settle();
    expect(transferState()).toMatchObject({ receivedBytes: 1600, totalBytes: 4500 });
    expect(fileStatuses(transferState())).toEqual({
      a: 'transferring',
      b: 'waiting',
      c: 'transferring',
    });
  });

  it('reports the recent rate', async () => {
    await transfer.service.start(['b'], 'bluetooth');
    now = 500;
    await notifyRecordsChanged();
    expect(transferState()).toMatchObject({ rate: null });
    now = 2000;
    setPhoneCopy('b', { status: 'partial', bytes: 1000 });
    await notifyRecordsChanged();
    expect(transferState()).toMatchObject({ rate: 500 });
    now = 7500;
    await notifyRecordsChanged();
    // All earlier samples are too old, so no rate can be measured yet.
    expect(transferState()).toMatchObject({ rate: null });
    now = 9500;
    await notifyRecordsChanged();
    expect(transferState()).toMatchObject({ rate: 0 });
  });

  it('reports a failed file and ends without it', async () => {
    await transfer.service.start(['a', 'b'], 'bluetooth');
    setPhoneCopy('a', { status: 'partial', bytes: 10 }, { step: 'fetch', code: 'not_sent' });
    await notifyRecordsChanged();
    expect(transferState()).toMatchObject({
      status: 'transferring',
      receivedBytes: 0,
      totalBytes: 3000,
      files: [{ receivedBytes: 10, state: { status: 'failed', code: 'not_sent' } }, {}],
    });
    setVerified('b');
    await notifyRecordsChanged();
    expect(transferState()).toMatchObject({ status: 'ended', end: 'done' });
  });

  it('clears earlier transfer failures, but not other failures', async () => {
    setPhoneCopy('a', absent, { step: 'fetch', code: 'not_sent' });
    setPhoneCopy('b', absent, { step: 'upload', code: 'file_missing' });
    await transfer.service.start(['a', 'b'], 'bluetooth');
    expect(calls).toEqual(['update a {"problem":null}', 'first request 1,2']);
    expect(fileStatuses(transferState())).toEqual({ a: 'waiting', b: 'waiting' });
  });

  it('waits for a disconnected recorder and requests the remaining files after reconnecting', async () => {
    await transfer.service.start(['a', 'b'], 'bluetooth');
    setVerified('a');
    await setLinkState({ ...recorderIdentity, status: 'reconnecting', reason: 'lost' });
    expect(transferState()).toMatchObject({ status: 'transferring', receivedBytes: 1000 });
    await setLinkState(createConnectedLink(), createFakeConnection('second', null));
    expect(calls).toEqual(['first request 1,2']);
    await setLinkState(createConnectedLink(), createFakeConnection('second'));
    await notifyRecordsChanged();
    expect(calls).toEqual(['first request 1,2', 'second request 2']);
  });

  it('counts a transferred file even after its copy on the phone is deleted', async () => {
    await transfer.service.start(['a', 'b'], 'bluetooth');
    setVerified('a');
    await notifyRecordsChanged();
    setPhoneCopy('a', absent);
    await notifyRecordsChanged();
    expect(transferState()).toMatchObject({ receivedBytes: 1000, totalBytes: 4000 });
  });

  it('withdraws the remaining requests when canceled', async () => {
    await transfer.service.start(['a', 'b'], 'bluetooth');
    progress.set('b', { step: 'fetch', fraction: 0.5 });
    setVerified('a');
    await notifyRecordsChanged();
    await transfer.service.cancel();
    expect(transferState()).toMatchObject({ status: 'ended', end: 'canceled' });
    expect(fileStatuses(transferState())).toEqual({ a: 'received', b: 'waiting' });
    expect(calls).toEqual(['first request 1,2', 'first withdraw 1,2']);
    setVerified('b');
    await notifyRecordsChanged();
    expect(fileStatuses(transferState())).toMatchObject({ b: 'waiting' });
    await transfer.service.cancel();
    expect(calls).toHaveLength(2);
  });

  it('can be followed by another transfer', async () => {
    await transfer.service.start(['a'], 'bluetooth');
    await transfer.service.cancel();
    await transfer.service.start(['b'], 'bluetooth');
    expect(fileStatuses(transferState())).toEqual({ b: 'waiting' });
    await transfer.service.cancel();
    expect(transferState()).toMatchObject({ end: 'canceled', files: [{ recordId: 'b' }] });
  });
});

describe('a transfer', () => {
  it.each([
    ['the selection is empty', []],
    ['the recorder has none of the recordings', ['other']],
  ])('fails if %s', async (_, recordIds) => {
    expect(await transfer.service.start(recordIds, 'wifi')).toEqual({
      ok: false,
      failure: { kind: 'device', code: 'session_unknown' },
    });
    expect(transferState()).toEqual({ status: 'idle' });
    expect(calls).toEqual([]);
  });

  it.each<[string, LinkState]>([
    ['no recorder is bound', { status: 'none' }],
    [
      'the recorder is not connected',
      { ...recorderIdentity, status: 'reconnecting', reason: 'lost' },
    ],
    [
      'the sessions of the recorder are unknown',
      {
        ...recorderIdentity,
        status: 'connected',
        recorder: { sessions: null } as ConnectedRecorder,
      },
    ],
  ])('does not start if %s', async (_, state) => {
    link.set(state);
    expect(await transfer.service.start(['a'], 'bluetooth')).toMatchObject({
      failure: { kind: 'not-connected' },
    });
  });

  it('ends if the remaining files have been deleted on the recorder', async () => {
    await transfer.service.start(['a', 'b'], 'bluetooth');
    setVerified('a');
    await setLinkState(createConnectedLink(), createFakeConnection('first', ['a', 'c']));
    expect(transferState()).toMatchObject({ status: 'ended', end: 'done' });
    expect(fileStatuses(transferState())).toEqual({ a: 'received', b: 'deleted' });
  });

  it('finishes a file that was read in full before the recorder deleted it', async () => {
    setPhoneCopy('a', { status: 'whole', bytes: 1000 });
    await transfer.service.start(['a', 'b'], 'bluetooth');
    await setLinkState(createConnectedLink(), createFakeConnection('first', []));
    expect(fileStatuses(transferState())).toEqual({ a: 'waiting', b: 'deleted' });
    setVerified('a');
    await notifyRecordsChanged();
    expect(fileStatuses(transferState())).toEqual({ a: 'received', b: 'deleted' });
  });

  it('ends if the remaining files have been permanently deleted on the phone', async () => {
    await transfer.service.start(['a'], 'bluetooth');
    work.delete('a');
    await notifyRecordsChanged();
    expect(transferState()).toMatchObject({ status: 'ended', end: 'done' });
    expect(fileStatuses(transferState())).toEqual({ a: 'deleted' });
  });

  it.each<[string, LinkState]>([
    ['was unbound', { status: 'none' }],
    ['was replaced by another recorder', { ...createConnectedLink(), sn: 'second' } as LinkState],
    ['has lost its binding', { ...recorderIdentity, status: 'idle', reason: 'unbound' }],
  ])('ends if the recorder %s', async (_, state) => {
    await transfer.service.start(['a', 'b'], 'bluetooth');
    await setLinkState(state, createFakeConnection('second', []));
    expect(transferState()).toMatchObject({ status: 'ended', end: 'recorder_changed' });
    // Another recorder's session list changes nothing, and no files are requested from that recorder.
    expect(fileStatuses(transferState())).toEqual({ a: 'waiting', b: 'waiting' });
    expect(calls).toEqual(['first request 1,2']);
  });

  it('waits if the user has disconnected the recorder', async () => {
    await transfer.service.start(['a'], 'bluetooth');
    await setLinkState({ ...recorderIdentity, status: 'idle', reason: 'closed' });
    expect(transferState()).toMatchObject({ status: 'transferring' });
  });

  it('is cleared when the account signs out', async () => {
    await transfer.service.start(['a'], 'bluetooth');
    transfer.forget();
    setVerified('a');
    await notifyRecordsChanged();
    expect(transferState()).toEqual({ status: 'idle' });
  });

  it('does not start if the account signs out during the database read', async () => {
    const reading = Promise.withResolvers<void>();
    beforeWork = () => reading.promise;
    const starting = transfer.service.start(['a'], 'wifi');
    transfer.forget();
    reading.resolve();
    expect(await starting).toMatchObject({ failure: { code: 'aborted' } });
    expect(transferState()).toEqual({ status: 'idle' });
    expect(calls).toEqual([]);
  });

  it('ignores a database read that completes after the end of the transfer', async () => {
    await transfer.service.start(['a'], 'bluetooth');
    const reading = Promise.withResolvers<void>();
    beforeWork = () => reading.promise;
    setVerified('a');
    recordsChanged();
    await transfer.service.cancel();
    reading.resolve();
    await settle();
    expect(transferState()).toMatchObject({ status: 'ended', end: 'canceled' });
  });

  it('reports a database failure and retries at the next change', async () => {
    await transfer.service.start(['a'], 'bluetooth');
    beforeWork = () => Promise.reject(new Error('locked'));
    await notifyRecordsChanged();
    expect(errors).toMatchObject([{ message: 'locked' }]);
    beforeWork = async () => {};
    setVerified('a');
    await notifyRecordsChanged();
    expect(transferState()).toMatchObject({ status: 'ended', end: 'done' });
  });
});

describe('a transfer over Wi-Fi', () => {
  const hotspot: LinkState = {
    ...recorderIdentity,
    status: 'hotspot',
    joining: 'by_hand',
    ssid: 'n',
    password: 'p',
  };
  beforeEach(() => {
    onOpenWifi = async () => {
      current = null;
      link.set(hotspot);
      return { ok: true, data: null };
    };
  });

  it('waits until this device has joined, transfers over the network, and closes it', async () => {
    expect(await transfer.service.start(['a'], 'wifi')).toMatchObject({ ok: true });
    expect(transferState()).toMatchObject({ status: 'joining', files: [{ recordId: 'a' }] });
    await setLinkState(createConnectedLink('wifi'), createFakeConnection('over wifi'));
    expect(transferState()).toMatchObject({ status: 'transferring', medium: 'wifi' });
    setVerified('a');
    await notifyRecordsChanged();
    expect(transferState()).toMatchObject({ status: 'ended', end: 'done', medium: 'wifi' });
    expect(calls).toEqual(['open', 'over wifi request 1', 'close']);
  });

  it('ends when the network is lost', async () => {
    await transfer.service.start(['a'], 'wifi');
    await setLinkState(createConnectedLink('wifi'));
    progress.set('a', { step: 'fetch', fraction: 0.5 });
    await setLinkState({ ...recorderIdentity, status: 'reconnecting', reason: 'wifi' });
    expect(transferState()).toMatchObject({ status: 'ended', end: 'network_lost' });
    expect(fileStatuses(transferState())).toEqual({ a: 'waiting' });
  });

  it('ends if this device does not join the network', async () => {
    await transfer.service.start(['a'], 'wifi');
    await setLinkState(createConnectedLink('bluetooth'));
    expect(transferState()).toMatchObject({ status: 'ended', end: 'network_lost' });
  });

  it('does not start if the recorder cannot open its network', async () => {
    onOpenWifi = async () => ({ ok: false, failure: { kind: 'device', code: 'usb_disk_mode' } });
    expect(await transfer.service.start(['a'], 'wifi')).toMatchObject({
      failure: { code: 'usb_disk_mode' },
    });
    expect(transferState()).toEqual({ status: 'idle' });
  });

  it.each(['signs out', 'cancels'])(
    'closes the network if the user %s while it opens',
    async (action) => {
      const opening = Promise.withResolvers<Outcome<null, RecorderFailure>>();
      onOpenWifi = () => opening.promise;
      const starting = transfer.service.start(['a'], 'wifi');
      await settle();
      if (action === 'signs out') transfer.forget();
      else await transfer.service.cancel();
      opening.resolve({ ok: true, data: null });
      expect(await starting).toMatchObject({ failure: { code: 'aborted' } });
      expect(transferState()).toEqual({ status: 'idle' });
      expect(calls).toEqual(['open', 'close']);
    },
  );

  it('returns to Bluetooth when canceled', async () => {
    await transfer.service.start(['a'], 'wifi');
    await transfer.service.cancel();
    expect(transferState()).toMatchObject({ status: 'ended', end: 'canceled', medium: 'wifi' });
    expect(calls).toEqual(['open', 'close']);
  });
});
