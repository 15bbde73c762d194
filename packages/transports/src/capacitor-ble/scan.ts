/** Scans for recorders. Phones only: browsers have a chooser instead. */
import type { ScanMode, ScanResult } from '@capacitor-community/bluetooth-le';
import { COMPANY_ID, decodeAdvertisement, SERVICE_UUID } from '@linnet/device/codec';
import { type Advertisement, TransportError, throwIfAborted } from '@linnet/device/transport';
import { translate } from './errors.ts';
import type { PhoneRadio, Platform } from './radio.ts';

/** `ScanMode.SCAN_MODE_LOW_LATENCY`: a user is waiting in the app. */
const LOW_LATENCY: ScanMode.SCAN_MODE_LOW_LATENCY = 2;

/** Scan results by device id. */
export type ScanResults = ReadonlyMap<string, ScanResult>;

export interface ScanOptions {
  readonly forMs: number;
  /** Ends the scan early when it returns true. */
  readonly isComplete?: (results: ScanResults) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** Tail of the scan queue. The system allows one scan per app; a second one would receive the first one's results. */
const queues = new WeakMap<PhoneRadio, Promise<unknown>>();

/**
 * @returns scan results by `deviceId`
 * @throws {TransportError} `radio_off`, `permission_denied`, `unsupported`, `aborted`
 */
export function scan(radio: PhoneRadio, options: ScanOptions): Promise<ScanResults> {
  const current = (queues.get(radio) ?? Promise.resolve()).then(() => scanNow(radio, options));
  // The next scan starts after this one ends or fails; the caller of this one gets the rejection.
  queues.set(
    radio,
    current.catch(() => undefined),
  );
  return current;
}

async function scanNow(radio: PhoneRadio, options: ScanOptions): Promise<ScanResults> {
  const { forMs, isComplete, signal } = options;
  throwIfAborted(signal);
  await radio.assertOn();
  throwIfAborted(signal);
  const results = new Map<string, ScanResult>();
  const ended = Promise.withResolvers<void>();
  const timer = setTimeout(() => ended.resolve(), forMs);
  const onAbort = () => ended.reject(new TransportError('aborted', { cause: signal?.reason }));
  signal?.addEventListener('abort', onAbort);
  const stopWatching = radio.onSwitched((isOn) => {
    if (!isOn) ended.reject(new TransportError('radio_off'));
  });
  let starting: Promise<void> | undefined;
  try {
    starting = radio.client.requestLEScan(
      // iOS reports the advertisement and the scan response separately.
      { services: [SERVICE_UUID], allowDuplicates: true, scanMode: LOW_LATENCY },
      (result) => {
        const { deviceId } = result.device;
        results.set(deviceId, merge(results.get(deviceId), result));
        if (isComplete?.(results)) ended.resolve();
      },
    );
    await Promise.all([starting, ended.promise]);
  } catch (error) {
    throw translate('connect', error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    stopWatching();
    // A scan cannot be stopped before it has started. A failure to start was reported above.
    await starting?.catch(() => undefined);
    // Fails only if the radio is off, which has already ended the scan.
    await radio.client.stopLEScan().catch(() => undefined);
  }
  return results;
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
    // After a connection, iOS provides the full name here; an advertisement contains only a part.
    name: result.device.name ?? result.localName ?? '',
    ...(result.rssi === undefined ? {} : { rssi: result.rssi }),
    // iOS provides a phone-specific identifier instead.
    ...(platform === 'android' ? { mac: result.device.deviceId } : {}),
    ...(extendInfo ? { sn: extendInfo.sn, extendInfo } : {}),
  };
}
