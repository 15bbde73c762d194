import type { CallFailure, CallResult, Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { DeviceError } from '@linnet/device/session';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { forgetRecorder, unbindRecorder } from './binding.ts';
import { notConnected } from './failures.ts';
import { type KnownRecorder, knownRecorders } from './known-recorders.ts';
import type { RecorderLink } from './recorder-link.ts';

const uid = 'wren';
const sn = 'LN24A7001234';
const network: CallFailure = { kind: 'network', cause: null };
const notYours: CallFailure = { kind: 'server', code: codes.deviceNotYours, msg: '' };

/** Calls to server, recorder and link, in order. */
let done: string[];
let answer: CallResult<unknown>;
let onUnbind: () => void;
let owner: string | null;
let isConnected: boolean;

const client = {
  call: async (name: string, body: unknown) => {
    done.push(`${name} ${JSON.stringify(body)}`);
    return answer;
  },
} as unknown as Client;
const link = {
  owner: () => owner,
  current: () => (isConnected ? { session: { info: { sn }, unbind } } : null),
  disconnect: async () => void done.push('disconnect'),
} as unknown as RecorderLink;
async function unbind(): Promise<void> {
  done.push('unbind');
  onUnbind();
}
const unbinding = `device/unbinding {"sn":"${sn}"}`;
const known = () => knownRecorders.lastUsedFirst(uid).map((each) => each.sn);

beforeEach(() => {
  stubLocalStorage();
  for (const each of [uid, 'jay']) {
    const about = { kind: 'websocket', deviceId: 'd1', name: 'Linnet 1234' } as const;
    knownRecorders.remember({ ...about, sn, uid: each, bindingKey: '0f' });
  }
  done = [];
  answer = { ok: true, data: null };
  onUnbind = () => {};
  owner = uid;
  isConnected = true;
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('unbinding', () => {
  it('unbinds on the server, the recorder and the phone, in this order', async () => {
    expect(await unbindRecorder(client, link)).toEqual({ ok: true, data: null });
    expect(done).toEqual([unbinding, 'unbind', 'disconnect']);
    expect(known()).toEqual([]);
    // Other accounts on this phone keep theirs.
    expect(knownRecorders.lastUsedFirst('jay')).toHaveLength(1);
  });

  it('requires a connected recorder and a signed-in account', async () => {
    isConnected = false;
    expect(await unbindRecorder(client, link)).toEqual(notConnected);
    [isConnected, owner] = [true, null];
    expect(await unbindRecorder(client, link)).toEqual(notConnected);
    expect(done).toEqual([]);
    expect(known()).toEqual([sn]);
  });

  it('changes nothing if the server refuses', async () => {
    answer = { ok: false, failure: network };
    const failure = { kind: 'server', failure: network, sn };
    expect(await unbindRecorder(client, link)).toEqual({ ok: false, failure });
    expect(done).toEqual([unbinding]);
    expect(known()).toEqual([sn]);
  });

  it('retains the recorder after a lost response, so that unbinding can be repeated', async () => {
    onUnbind = () => {
      throw new DeviceError('timeout');
    };
    const failure = { kind: 'device', code: 'timeout' };
    expect(await unbindRecorder(client, link)).toEqual({ ok: false, failure });
    expect(done).toEqual([unbinding, 'unbind']);
    expect(known()).toEqual([sn]);

    // The server already considers it unbound.
    answer = { ok: false, failure: notYours };
    onUnbind = () => {};
    expect(await unbindRecorder(client, link)).toEqual({ ok: true, data: null });
    expect(known()).toEqual([]);
  });
});

describe('forgetting', () => {
  it('calls only the server, since the recorder is absent', async () => {
    isConnected = false;
    expect(await forgetRecorder(client, link, sn)).toEqual({ ok: true, data: null });
    expect(done).toEqual([unbinding, 'disconnect']);
    expect(known()).toEqual([]);
  });

  it('retains the recorder if the server refuses', async () => {
    answer = { ok: false, failure: network };
    const failure = { kind: 'server', failure: network, sn };
    expect(await forgetRecorder(client, link, sn)).toEqual({ ok: false, failure });
    expect(known()).toEqual([sn]);
  });
});

describe('remembered recorders', () => {
  it('are listed last used first, with the current device id', () => {
    const before = knownRecorders.lastUsedFirst(uid)[0];
    knownRecorders.remember({ ...(before as KnownRecorder), sn: 'LN24A7005678' });
    knownRecorders.used(uid, sn, 'd2');
    expect(known()).toEqual([sn, 'LN24A7005678']);
    expect(knownRecorders.lastUsedFirst(uid)[0]).toEqual({ ...before, deviceId: 'd2' });
    // A recorder forgotten meanwhile is not remembered again.
    knownRecorders.forget(uid, sn);
    knownRecorders.used(uid, sn, 'd3');
    expect(known()).toEqual(['LN24A7005678']);
  });
});
