/** Scans for recorders. Phones only: browsers have a chooser instead. */
import type { ScanMode, ScanResult } from '@capacitor-community/bluetooth-le';
import { COMPANY_ID, decodeAdvertisement, SERVICE_UUID } from '@linnet/device/codec';
import { type Advertisement, TransportError, throwIfAborted } from '@linnet/device/transport';
import { translate } from './errors.ts';
import type { PhoneRadio, Platform } from './radio.ts';

/** `ScanMode.SCAN_MODE_LOW_LATENCY`: a user is waiting in the app. */
const LOW_LATENCY: ScanMode.SCAN_MODE_LOW_LATENCY = 2;

/** Scan results by device id. */
export type Heard = ReadonlyMap<string, ScanResult>;

export interface ScanOptions {
  readonly forMs: number;
  /** Ends the scan early. */
  readonly enough?: (heard: Heard) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** The system allows one scan per app: a second scan would take over the results of the first. */
const turns = new WeakMap<PhoneRadio, Promise<unknown>>();

/**
 * @returns scan results by `deviceId`
 * @throws {TransportError} `radio_off`, `permission_denied`, `unsupported`, `aborted`
 */
export function scan(radio: PhoneRadio, options: ScanOptions): Promise<Heard> {
  const mine = (turns.get(radio) ?? Promise.resolve()).then(() => scanNow(radio, options));
  // The next scan waits until this one ends or fails; the caller of this one gets the rejection.
  turns.set(
    radio,
    mine.catch(() => undefined),
  );
  return mine;
}

async function scanNow(radio: PhoneRadio, options: ScanOptions): Promise<Heard> {
  const { forMs, enough, signal } = options;
  throwIfAborted(signal);
  await radio.mustBeOn();
  throwIfAborted(signal);
  const heard = new Map<string, ScanResult>();
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(() => over.resolve(), forMs);
  const onAbort = () => over.reject(new TransportError('aborted', { cause: signal?.reason }));
  signal?.addEventListener('abort', onAbort);
  const stopWatching = radio.onSwitched((isOn) => {
    if (!isOn) over.reject(new TransportError('radio_off'));
  });
  let listening: Promise<void> | undefined;
  try {
    listening = radio.client.requestLEScan(
      // iOS reports the advertisement and the scan response separately.
      { services: [SERVICE_UUID], allowDuplicates: true, scanMode: LOW_LATENCY },
      (result) => {
        const { deviceId } = result.device;
        heard.set(deviceId, merge(heard.get(deviceId), result));
        if (enough?.(heard)) over.resolve();
      },
    );
    await Promise.all([listening, over.promise]);
  } catch (error) {
    throw translate('connect', error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    stopWatching();
    // A scan that has not started yet cannot be stopped; a failure was reported above.
    await listening?.catch(() => undefined);
    // With the radio off there is no scan to end.
    await radio.client.stopLEScan().catch(() => undefined);
  }
  return heard;
}

function merge(earlier: ScanResult | undefined, later: ScanResult): ScanResult {
  const localName = later.localName ?? earlier?.localName;
  return {
    ...earlier,
    ...later,
    ...(localName === undefined ? {} : { localName }),
    manufacturerData: { ...earlier?.manufacturerData, ...later.manufacturerData },
  };
}

/** Converts a scan result to the port's advertisement. */
export function readAdvertisement(result: ScanResult, platform: Platform): Advertisement {
  const data = result.manufacturerData?.[String(COMPANY_ID)];
  const extendInfo =
    data && decodeAdvertisement(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return {
    // iOS has the full name here once the device was connected; an advertisement holds only a part.
    name: result.device.name ?? result.localName ?? '',
    ...(result.rssi === undefined ? {} : { rssi: result.rssi }),
    // iOS has an identifier per phone instead.
    ...(platform === 'android' ? { mac: result.device.deviceId } : {}),
    ...(extendInfo ? { sn: extendInfo.sn, extendInfo } : {}),
  };
}
