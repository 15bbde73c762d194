/**
 * Tests phone-specific behavior: scanning, the MTU, permissions, and turning Bluetooth on and off. A test double
 * implements the plugin's interface. The tests in `e2e/bluez` run the plugin's web implementation against an emulated
 * adapter.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScanResult } from '@capacitor-community/bluetooth-le';
import { encodeAdvertisement, SERVICE_UUID } from '@linnet/device/codec';
import {
  type ContractLink,
  type GattContractLink,
  GattContractRecorder,
  gattContract,
  gattContractProfile,
  transportContract,
} from '@linnet/device/testing';
import { type Transport, TransportError } from '@linnet/device/transport';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { PhonePlugin } from '../testing/phone-plugin.ts';
import { PhoneWithRecorder } from '../testing/phone-with-recorder.ts';
import { CODES_BY_MESSAGE } from './errors.ts';
import { createCapacitorFinder } from './index.ts';

const DEVICE = '26:C5:7E:DC:B2:57';
const info = {
  tranVersion: 1,
  isBind: true,
  version: '1.0.0',
  sn: 'LNR19514B1B6',
  projectCode: 'LNR1',
};
const remembered = { kind: 'capacitor-ble', deviceId: DEVICE, name: 'Linnet B1B6' } as const;

let plugin: PhonePlugin;

beforeEach(() => {
  plugin = new PhonePlugin();
  plugin.scanResults = [scanResult()];
});

function scanResult(changes: Partial<ScanResult> = {}): ScanResult {
  const data = encodeAdvertisement(info);
  return {
    device: { deviceId: DEVICE, name: 'Linnet B1B6' },
    localName: 'Linnet B',
    rssi: -61,
    manufacturerData: { 65535: new DataView(data.buffer, data.byteOffset, data.byteLength) },
    uuids: [SERVICE_UUID],
    ...changes,
  };
}

const errorCode = (action: Promise<unknown>) =>
  action.then(
    () => 'none',
    (error: unknown) => (error instanceof TransportError ? error.code : String(error)),
  );

/** Advances the fake timers until the action settles, because a scan takes seconds. */
async function advanceUntilSettled<T>(action: Promise<T>): Promise<T> {
  let isSettled = false;
  const outcome = action.finally(() => {
    isSettled = true;
  });
  // The caller handles the rejection when it awaits the outcome.
  outcome.catch(() => undefined);
  while (!isSettled) await vi.advanceTimersByTimeAsync(500);
  return outcome;
}

async function openTransport(
  finder = createCapacitorFinder([], plugin, 'android'),
): Promise<Transport> {
  return finder.reopen(remembered);
}

describe.each(['android', 'ios'] as const)('the contract on %s, with a test double', (platform) => {
  const open = async (): Promise<ContractLink> => ({
    transport: await openTransport(createCapacitorFinder([], plugin, platform)),
    recorderReceives: (count) => plugin.inbox.take(count),
    recorderSends: async (...notifications) => {
      for (const bytes of notifications) plugin.notify(bytes);
    },
    breakLink: async () => plugin.drop(),
  });
  test.each(transportContract)('$name', (contractCase) => contractCase.run({ open }));
});

describe('find', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  const find = (platform: 'android' | 'ios' = 'android', signal?: AbortSignal) =>
    advanceUntilSettled(createCapacitorFinder([], plugin, platform).find(signal ? { signal } : {}));

  test('reads name, signal strength and manufacturer data from an advertisement', async () => {
    const [candidate, ...others] = await find();
    expect(others).toEqual([]);
    expect(candidate).toMatchObject({ kind: 'capacitor-ble', deviceId: DEVICE });
    expect(candidate?.advertisement).toEqual({
      name: 'Linnet B1B6',
      rssi: -61,
      mac: DEVICE,
      sn: 'LNR19514B1B6',
      extendInfo: info,
    });
    expect(plugin.calls).toEqual([
      'disableQueue',
      'initialize {"androidNeverForLocation":true}',
      `requestLEScan ${JSON.stringify({
        services: [SERVICE_UUID],
        allowDuplicates: true,
        scanMode: 2,
      })}`,
      'stopLEScan',
    ]);
  });

  test('merges the advertisement and the scan response, which iOS reports separately', async () => {
    const deviceId = '0F6F1B8C-0000-4000-8000-000000000001';
    const { manufacturerData = {} } = scanResult();
    plugin.scanResults = [
      { device: { deviceId }, localName: 'Linnet B', rssi: -80 },
      { device: { deviceId }, manufacturerData, rssi: -70 },
    ];
    const [candidate] = await find('ios');
    const { sn } = info;
    expect(candidate?.advertisement).toEqual({ name: 'Linnet B', rssi: -70, sn, extendInfo: info });
  });

  test('ignores another product’s manufacturer data', async () => {
    plugin.scanResults = [
      scanResult({ manufacturerData: { 65535: new DataView(new ArrayBuffer(4)) } }),
    ];
    const [candidate] = await find();
    expect(candidate?.advertisement).toEqual({ name: 'Linnet B1B6', rssi: -61, mac: DEVICE });
  });

  test('rejects with not_found for an absent recorder', async () => {
    plugin.scanResults = [];
    expect(await errorCode(find())).toBe('not_found');
    expect(await errorCode(advanceUntilSettled(openTransport()))).toBe('not_found');
  });

  test('serializes concurrent searches', async () => {
    const finder = createCapacitorFinder([], plugin, 'android');
    const results = await advanceUntilSettled(Promise.all([finder.find(), finder.find()]));
    expect(results.map((found) => found.length)).toEqual([1, 1]);
  });

  test('ends when it is aborted or the radio is turned off', async () => {
    const controller = new AbortController();
    const aborted = errorCode(find('android', controller.signal));
    controller.abort();
    expect(await aborted).toBe('aborted');
    const finder = createCapacitorFinder([], plugin, 'android');
    await finder.availability();
    const interrupted = errorCode(finder.find());
    await vi.advanceTimersByTimeAsync(10);
    plugin.switch(false);
    expect(await interrupted).toBe('radio_off');
    expect(plugin.calls.at(-1)).toBe('stopLEScan');
  });
});

describe('an aborted search', () => {
  const scans = () => plugin.calls.filter((call) => call.startsWith('requestLEScan'));

  test('doesn’t start a scan after the radio check', async () => {
    const controller = new AbortController();
    const ready = Promise.withResolvers<void>();
    plugin.radioCheck = ready.promise;
    const finder = createCapacitorFinder([], plugin, 'android');
    const search = errorCode(finder.find({ signal: controller.signal }));
    await vi.waitUntil(() => plugin.calls.some((call) => call.startsWith('initialize')));
    controller.abort();
    ready.resolve();
    expect(await search).toBe('aborted');
    expect(scans()).toEqual([]);
  });

  test('stops a scan that is still starting', async () => {
    const controller = new AbortController();
    const started = Promise.withResolvers<void>();
    plugin.scanStart = started.promise;
    const finder = createCapacitorFinder([], plugin, 'android');
    const search = errorCode(finder.find({ signal: controller.signal }));
    await vi.waitUntil(() => scans().length > 0);
    controller.abort();
    // Let everything run that isn't waiting for the scan to start.
    await new Promise((resolve) => setImmediate(resolve));
    started.resolve();
    expect(await search).toBe('aborted');
    expect(plugin.isScanning).toBe(false);
    expect(plugin.calls.at(-1)).toBe('stopLEScan');
  });
});

describe('permission and radio state', () => {
  test.each([
    ['android', 'Permission denied.', 'permission_denied'],
    ['android', 'BLE is not supported.', 'unsupported'],
    ['android', 'BLE is not available.', 'unsupported'],
    ['ios', 'BLE permission denied', 'permission_denied'],
    ['ios', 'BLE unsupported', 'unsupported'],
  ] as const)('translates the %s error "%s" to %s', async (platform, message, code) => {
    plugin.initializeError = message;
    const finder = createCapacitorFinder([], plugin, platform);
    expect(await finder.availability()).toEqual({ status: 'unavailable', code });
    expect(await errorCode(finder.find())).toBe(code);
    expect(await errorCode(finder.reopen(remembered))).toBe(code);
    // The user grants permission in the settings.
    plugin.initializeError = undefined;
    expect(await finder.availability()).toEqual({ status: 'ready' });
  });

  test('initializes the plugin only once, because a second call would drop the links on iOS', async () => {
    const finder = createCapacitorFinder([], plugin, 'ios');
    await finder.availability();
    await (await openTransport(finder)).close();
    await finder.availability();
    expect(plugin.calls.filter((call) => call.startsWith('initialize'))).toHaveLength(1);
  });

  test('reports each change once and closes open links', async () => {
    const finder = createCapacitorFinder([], plugin, 'android');
    const changes: unknown[] = [];
    finder.onAvailabilityChange((availability) => changes.push(availability));
    const transport = await openTransport(finder);
    const closed = new Promise((resolve) => transport.onClosed(resolve));
    plugin.switch(false);
    expect(await closed).toBe('radio_off');
    expect(await finder.availability()).toEqual({ status: 'unavailable', code: 'radio_off' });
    expect(await errorCode(finder.find())).toBe('radio_off');
    plugin.switch(true);
    expect(changes).toEqual([{ status: 'unavailable', code: 'radio_off' }, { status: 'ready' }]);
  });

  test('offers to turn on Bluetooth and to open both settings on Android', async () => {
    plugin.isOn = false;
    const finder = createCapacitorFinder([], plugin, 'android');
    for (const remedy of finder.remedies) await finder.remedy(remedy);
    expect(plugin.calls.slice(-3)).toEqual([
      'requestEnable',
      'openBluetoothSettings',
      'openAppSettings',
    ]);
    plugin.userDeclines = true;
    expect(await errorCode(finder.remedy('switch_on'))).toBe('permission_denied');
  });

  test('offers only the app settings on iOS and nothing in a browser', async () => {
    const finder = createCapacitorFinder([], plugin, 'ios');
    expect(finder.remedies).toEqual(['app_settings']);
    expect(await errorCode(finder.remedy('switch_on'))).toBe('unsupported');
    expect(createCapacitorFinder([], plugin, 'web').remedies).toEqual([]);
  });
});

describe('connecting', () => {
  test.each([
    [512, 509],
    [517, 512],
    [185, 182],
    [23, 20],
    // Android reports -1 if the recorder didn't respond to the request for a larger MTU.
    [-1, 20],
  ])('for the MTU %i, allows writes of %i bytes', async (mtu, size) => {
    plugin.mtu = mtu;
    expect((await openTransport()).maxWriteSize).toBe(size);
  });

  test('skips the scan for a connected device', async () => {
    plugin.scanResults = [];
    plugin.connectedElsewhere = [DEVICE];
    await (await openTransport()).close();
    expect(plugin.calls.filter((call) => call.startsWith('requestLEScan'))).toEqual([]);
  });

  test('disconnects from a device without the service', async () => {
    plugin.services = [];
    expect(await errorCode(openTransport())).toBe('not_a_recorder');
    expect(plugin.calls.at(-1)).toBe(`disconnect ${DEVICE}`);
  });

  test.each([
    ['Connection timeout.', 'connect_failed'],
    ['Connection failed with status 133 (GATT_ERROR).', 'connect_failed'],
    ["Device not found. Call 'requestDevice', 'requestLEScan' or 'getDevices' first.", 'not_found'],
    ['Invalid deviceId', 'not_found'],
  ])('translates "%s" to %s', async (message, code) => {
    plugin.connectError = message;
    expect(await errorCode(openTransport())).toBe(code);
  });

  test('disconnects when aborted', async () => {
    plugin.isUnresponsive = true;
    const controller = new AbortController();
    const finder = createCapacitorFinder([], plugin, 'android');
    const opening = errorCode(finder.reopen(remembered, { signal: controller.signal }));
    await vi.waitUntil(() => plugin.calls.some((call) => call.startsWith('connect')));
    controller.abort();
    expect(await opening).toBe('aborted');
    expect(plugin.calls.at(-1)).toBe(`disconnect ${DEVICE}`);
  });

  test('settles a pending write when the link is lost', async () => {
    const transport = await openTransport();
    plugin.isUnresponsive = true;
    const write = errorCode(transport.write(Uint8Array.of(1), { withResponse: true }));
    plugin.drop();
    expect(await write).toBe('link_lost');
  });
});

describe.each(['android', 'ios'] as const)(
  'a recorder from a different maker, on %s',
  (platform) => {
    const openRecorder = () => {
      const recorder = new GattContractRecorder();
      const phone = new PhoneWithRecorder(recorder);
      const finder = createCapacitorFinder([gattContractProfile], phone, platform);
      return { recorder, phone, finder };
    };
    const found = {
      kind: 'capacitor-ble',
      deviceId: new GattContractRecorder().mac,
      name: '',
    } as const;

    async function open(): Promise<GattContractLink> {
      const { recorder, finder } = openRecorder();
      return {
        link: await finder.openGatt(found),
        received: async () => recorder.received,
        notify: async (source, ...values) => recorder.notify(source, ...values),
        breakLink: async () => recorder.cut(),
      };
    }
    test.each(gattContract)('meets the contract, with a test double: $name', ({ run }) =>
      run(open),
    );

    test('is found by the service that it advertises', async () => {
      vi.useFakeTimers();
      const { finder, phone } = openRecorder();
      const [candidate] = await advanceUntilSettled(finder.find());
      expect(candidate).toMatchObject({ deviceId: found.deviceId, advertisement: { rssi: -60 } });
      const withoutIt = createCapacitorFinder([], phone, platform);
      expect(await errorCode(advanceUntilSettled(withoutIt.find()))).toBe('not_found');
      vi.useRealTimers();
    });

    test('is found by its services while another app is connected', async () => {
      const { finder, phone } = openRecorder();
      phone.isUsedElsewhere = true;
      const link = await finder.openGatt(found);
      await link.close();
    });
  },
);

test('translates only error messages that the plugin contains', () => {
  const root = join(
    dirname(fileURLToPath(import.meta.resolve('@capacitor-community/bluetooth-le'))),
    '..',
  );
  const files = globSync(['{android,ios}/**/*.{kt,swift}', 'dist/esm/web.js'], { cwd: root });
  const sources = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  for (const message of Object.keys(CODES_BY_MESSAGE)) expect(sources).toContain(message);
});
