import type { CallFailure, CallResult, Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { DeviceError } from '@linnet/device/session';
import { linnetCapabilities } from '@linnet/recorders';
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

/** Calls to the server, the recorder and the link, in order. */
let calls: string[];
let serverResult: CallResult<unknown>;
let onUnbind: () => void;
let owner: string | null;
let isConnected: boolean;

const client = {
  call: async (name: string, body: unknown) => {
    calls.push(`${name} ${JSON.stringify(body)}`);
    return serverResult;
  },
} as unknown as Client;
const link = {
  owner: () => owner,
  current: () => (isConnected ? { session: { info: { sn }, unbind } } : null),
  disconnect: async () => void calls.push('disconnect'),
} as unknown as RecorderLink;
async function unbind(): Promise<void> {
  calls.push('unbind');
  onUnbind();
}
const unbindingCall = `device/unbinding {"sn":"${sn}"}`;
const knownSns = () => knownRecorders.lastUsedFirst(uid).map((each) => each.sn);

beforeEach(() => {
  stubLocalStorage();
  for (const account of [uid, 'jay']) {
    const device = { kind: 'websocket', deviceId: 'd1', name: 'Linnet 1234' } as const;
    knownRecorders.remember({ ...device, sn, uid: account, bindingKey: '0f' });
  }
  calls = [];
  serverResult = { ok: true, data: null };
  onUnbind = () => {};
  owner = uid;
  isConnected = true;
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('unbindRecorder', () => {
  it('unbinds on the server, the recorder and the phone, in this order', async () => {
    expect(await unbindRecorder(client, link)).toEqual({ ok: true, data: null });
    expect(calls).toEqual([unbindingCall, 'unbind', 'disconnect']);
    expect(knownSns()).toEqual([]);
    // The phone's other accounts keep their binding.
    expect(knownRecorders.lastUsedFirst('jay')).toHaveLength(1);
  });

  it('requires a connected recorder and a signed-in account', async () => {
    isConnected = false;
    expect(await unbindRecorder(client, link)).toEqual(notConnected);
    [isConnected, owner] = [true, null];
    expect(await unbindRecorder(client, link)).toEqual(notConnected);
    expect(calls).toEqual([]);
    expect(knownSns()).toEqual([sn]);
  });

  it('changes nothing if the server rejects the request', async () => {
    serverResult = { ok: false, failure: network };
    const failure = { kind: 'server', failure: network, sn };
    expect(await unbindRecorder(client, link)).toEqual({ ok: false, failure });
    expect(calls).toEqual([unbindingCall]);
    expect(knownSns()).toEqual([sn]);
  });

  it('retains the recorder after a lost response and can be repeated', async () => {
    onUnbind = () => {
      throw new DeviceError('timeout');
    };
    const failure = { kind: 'device', code: 'timeout' };
    expect(await unbindRecorder(client, link)).toEqual({ ok: false, failure });
    expect(calls).toEqual([unbindingCall, 'unbind']);
    expect(knownSns()).toEqual([sn]);

    // The server has already unbound the recorder.
    serverResult = { ok: false, failure: notYours };
    onUnbind = () => {};
    expect(await unbindRecorder(client, link)).toEqual({ ok: true, data: null });
    expect(knownSns()).toEqual([]);
  });
});

describe('forgetRecorder', () => {
  it('unbinds on the server without a connected recorder', async () => {
    isConnected = false;
    expect(await forgetRecorder(client, link, sn)).toEqual({ ok: true, data: null });
    expect(calls).toEqual([unbindingCall, 'disconnect']);
    expect(knownSns()).toEqual([]);
  });

  it('retains the recorder if the server rejects the request', async () => {
    serverResult = { ok: false, failure: network };
    const failure = { kind: 'server', failure: network, sn };
    expect(await forgetRecorder(client, link, sn)).toEqual({ ok: false, failure });
    expect(knownSns()).toEqual([sn]);
  });
});

describe('knownRecorders', () => {
  it('lists the last used recorder first, with its current device id', () => {
    const before = knownRecorders.lastUsedFirst(uid)[0];
    knownRecorders.remember({ ...(before as KnownRecorder), sn: 'LN24A7005678' });
    knownRecorders.markUsed(uid, sn, 'd2');
    expect(knownSns()).toEqual([sn, 'LN24A7005678']);
    expect(knownRecorders.lastUsedFirst(uid)[0]).toEqual({ ...before, deviceId: 'd2' });
    // A recorder that was forgotten while in use isn't stored again.
    knownRecorders.forget(uid, sn);
    knownRecorders.markUsed(uid, sn, 'd3');
    expect(knownSns()).toEqual(['LN24A7005678']);
  });

  it('remembers the functions that a recorder lacks until its firmware changes', () => {
    knownRecorders.addMissing(uid, sn, '1.0', 'hasWifi');
    knownRecorders.addMissing(uid, sn, '1.0', 'pauses');
    knownRecorders.addMissing(uid, sn, '1.0', 'hasWifi');
    expect(knownRecorders.missingFunctions(uid, sn, '1.0')).toEqual(['pauses', 'hasWifi']);
    expect(knownRecorders.missingFunctions(uid, sn, '1.1')).toEqual([]);
    expect(knownRecorders.missingFunctions('jay', sn, '1.0')).toEqual([]);
    knownRecorders.addMissing(uid, sn, '1.1', 'keepsLog');
    expect(knownRecorders.missingFunctions(uid, sn, '1.1')).toEqual(['keepsLog']);
    expect(linnetCapabilities(['keepsLog'])).toMatchObject({ keepsLog: false, pauses: true });
  });
});
