import { writable } from '@linnet/base';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ConnectedRecorder, LinkState } from '../../ports/recorder.ts';
import { stubLocalStorage } from '../testing/local-storage.ts';
import type { ShownNotice } from './device-notifications.ts';
import { createRecorderSpaceNotices } from './recorder-space-notices.ts';

const gigabyte = 1e9;
const path = '/pages/myDevice';
const text = { title: 'Recorder almost full', body: '', lang: 'en', dir: 'ltr', path } as const;

let hasSpace = true;
beforeEach(() => {
  hasSpace = true;
  stubLocalStorage(() => hasSpace);
});
afterEach(() => vi.unstubAllGlobals());

/** Creates a device with a recorder, and the user's answer to the permission prompt. */
function start(answer: NotificationPermission = 'granted') {
  const link = writable<LinkState>({ status: 'none' });
  const device = {
    permission: 'default' as NotificationPermission,
    uid: 'ada' as string | null,
    shown: [] as ShownNotice[],
    errors: [] as unknown[],
    failure: null as Error | null,
  };
  const create = () =>
    createRecorderSpaceNotices({
      link,
      device: {
        permission: () => device.permission,
        async requestPermission() {
          device.permission = answer;
          return answer;
        },
        async show(notice) {
          if (device.failure) throw device.failure;
          device.shown.push(notice);
        },
      },
      uid: () => device.uid,
      onError: (error) => device.errors.push(error),
    });
  /** Reports the recorder's storage. */
  const report = (storage: Partial<ConnectedRecorder['storage']>, sn = 'SN-1') => {
    const completeStorage = {
      totalSpace: 32 * gigabyte,
      free: 0,
      useRate: 0,
      isFull: false,
      ...storage,
    };
    const recorder = { storage: completeStorage } as ConnectedRecorder;
    link.set({ sn, name: `Recorder ${sn}`, status: 'connected', recorder });
  };
  return { device, link, create, report };
}

it('is off by default, and asks for permission only when turned on', async () => {
  const { device, create, report } = start();
  const notices = create();
  report({ free: gigabyte });
  expect([notices.state(), notices.due.get(), device.permission]).toEqual(['off', null, 'default']);
  expect(await notices.turnOn()).toBe('on');
  expect(notices.due.get()).toEqual({
    ...{ sn: 'SN-1', name: 'Recorder SN-1', free: gigabyte, totalSpace: 32 * gigabyte },
  });
  expect(notices.turnOff()).toBe('off');
  expect(notices.due.get()).toBeNull();
});

it.each([
  ['denied', 'blocked'],
  ['default', 'off'],
] as const)('stays off if the user’s answer is %s', async (answer, state) => {
  const { create, report } = start(answer);
  const notices = create();
  report({ free: 0 });
  expect(await notices.turnOn()).toBe(state);
  expect(notices.due.get()).toBeNull();
});

async function isDueWith(storage: Parameters<ReturnType<typeof start>['report']>[0]) {
  const { create, report } = start();
  const notices = create();
  await notices.turnOn();
  report(storage);
  return notices.due.get() !== null;
}

it.each([
  ['less than a tenth is free', { free: 3.1 * gigabyte }],
  ['less than an hour fits on a small recorder', { totalSpace: 100e6, free: 28e6 }],
  ['the recorder reports that it is full', { free: 20 * gigabyte, isFull: true }],
])('is due if %s', async (_, storage) => {
  expect(await isDueWith(storage)).toBe(true);
});

it.each([
  ['a tenth is free', { free: 3.2 * gigabyte }],
  ['more than an hour fits on a small recorder', { totalSpace: 100e6, free: 30e6 }],
  ['a very small recorder is empty', { totalSpace: 20e6, free: 20e6 }],
  ['the recorder reports no size', { totalSpace: 0, free: 0 }],
])('is not due if %s', async (_, storage) => {
  expect(await isDueWith(storage)).toBe(false);
});

it('is shown once until the recorder has space again, even after a restart', async () => {
  const { device, link, create, report } = start();
  const notices = create();
  await notices.turnOn();
  report({ free: 3 * gigabyte });
  notices.show(text);
  await expect.poll(() => device.shown).toEqual([{ ...text, tag: 'recorder-space SN-1' }]);
  report({ free: gigabyte });
  // Slightly more than the limit isn't enough.
  report({ free: 3.3 * gigabyte });
  report({ free: 3 * gigabyte });
  expect(notices.due.get()).toBeNull();
  notices.stop();

  const restarted = create();
  link.set({ status: 'none' });
  report({ free: gigabyte });
  expect(restarted.state()).toBe('on');
  expect(restarted.due.get()).toBeNull();
  // Another recorder has a notification of its own.
  report({ free: gigabyte }, 'SN-2');
  expect(restarted.due.get()?.sn).toBe('SN-2');
  report({ free: 20 * gigabyte });
  report({ free: gigabyte });
  expect(restarted.due.get()?.sn).toBe('SN-1');
  restarted.show(text);
  expect(device.shown).toHaveLength(2);
});

it('is shown only to the account that turned it on, and only while connected', async () => {
  const { device, link, create, report } = start();
  const notices = create();
  await notices.turnOn();
  report({ free: gigabyte });
  link.set({ status: 'none' });
  expect(notices.due.get()).toBeNull();
  notices.show(text);
  device.uid = 'grace';
  report({ free: gigabyte });
  expect([notices.state(), notices.due.get()]).toEqual(['off', null]);
  device.uid = null;
  expect(notices.state()).toBe('off');
  expect(device.shown).toEqual([]);
});

it('is shown once, and reports the error, if local storage is full', async () => {
  const { device, create, report } = start();
  const notices = create();
  await notices.turnOn();
  hasSpace = false;
  report({ free: gigabyte });
  notices.show(text);
  report({ free: gigabyte });
  expect(notices.due.get()).toBeNull();
  expect(device.shown).toHaveLength(1);
  await expect.poll(() => device.errors).toHaveLength(1);
});

it('reports a notification that can’t be shown, and retries', async () => {
  const { device, create, report } = start();
  const notices = create();
  await notices.turnOn();
  device.failure = new Error('no registration');
  report({ free: 0 });
  notices.show(text);
  await expect.poll(() => device.errors).toEqual([device.failure]);
  expect(notices.due.get()).toBeNull();
  report({ free: 0 });
  expect(notices.due.get()).not.toBeNull();
});

it('is not supported on a device without notifications', async () => {
  const link = writable<LinkState>({ status: 'none' });
  const notices = createRecorderSpaceNotices({
    ...{ link, device: null, uid: () => 'ada', onError: () => {} },
  });
  expect(notices.state()).toBe('unsupported');
  expect(await notices.turnOn()).toBe('unsupported');
});
