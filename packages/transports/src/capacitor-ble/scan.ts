/** Scans for recorders on phones. Browsers have a chooser instead. */
import type { ScanMode, ScanResult } from '@capacitor-community/bluetooth-le';
import { COMPANY_ID, decodeAdvertisement } from '@linnet/device/codec';
import { type Advertisement, TransportError, throwIfAborted } from '@linnet/device/transport';
import { toTransportError } from './errors.ts';
import type { PhoneRadio, Platform } from './radio.ts';

/** The value of `ScanMode.SCAN_MODE_LOW_LATENCY`. Low latency matters because a user is waiting in the app. */
const LOW_LATENCY: ScanMode.SCAN_MODE_LOW_LATENCY = 2;

/** Scan results by device ID. */
export type ScanResults = ReadonlyMap<string, ScanResult>;

export interface ScanOptions {
  readonly forMs: number;
  /** A recorder must advertise at least one of these services. */
  readonly services: readonly string[];
  /** Ends the scan early when it returns true. */
  readonly isComplete?: (results: ScanResults) => boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * The last queued scan on each radio. The system allows only one scan per app at a time: a second scan would receive
 * the results of the first.
 */
const queues = new WeakMap<PhoneRadio, Promise<unknown>>();

/**
 * Scans for recorders once earlier scans have ended.
 * @throws {TransportError} `radio_off`, `permission_denied`, `unsupported`, `aborted`
 */
export function scan(radio: PhoneRadio, options: ScanOptions): Promise<ScanResults> {
  const current = (queues.get(radio) ?? Promise.resolve()).then(() => scanNow(radio, options));
  // The next scan starts once this one has ended or failed. This scan's caller handles a failure.
  queues.set(
    radio,
    current.catch(() => undefined),
  );
  return current;
}

async function scanNow(radio: PhoneRadio, options: ScanOptions): Promise<ScanResults> {
  const { forMs, services, isComplete, signal } = options;
  throwIfAborted(signal);
  await radio.checkOn();
  throwIfAborted(signal);
  const results = new Map<string, ScanResult>();
  const scanEnd = Promise.withResolvers<void>();
  const timer = setTimeout(() => scanEnd.resolve(), forMs);
  const onAbort = () => scanEnd.reject(new TransportError('aborted', { cause: signal?.reason }));
  signal?.addEventListener('abort', onAbort);
  const stopWatching = radio.onSwitched((isOn) => {
    if (!isOn) scanEnd.reject(new TransportError('radio_off'));
  });
  let starting: Promise<void> | undefined;
  try {
    starting = radio.client.requestLEScan(
      // iOS reports the advertisement and the scan response separately.
      { services: [...services], allowDuplicates: true, scanMode: LOW_LATENCY },
      (result) => {
        const { deviceId } = result.device;
        results.set(deviceId, mergeResults(results.get(deviceId), result));
        if (isComplete?.(results)) scanEnd.resolve();
      },
    );
    await Promise.all([starting, scanEnd.promise]);
  } catch (error) {
    throw toTransportError('connect', error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    stopWatching();
    // A scan can't be stopped before it has started. If it failed to start, the error was thrown above.
    await starting?.catch(() => undefined);
    // Stopping fails only if the radio is off, which has already ended the scan.
    await radio.client.stopLEScan().catch(() => undefined);
  }
  return results;
}

function mergeResults(earlier: ScanResult | undefined, later: ScanResult): ScanResult {
  const localName = later.localName ?? earlier?.localName;
  return {
    ...earlier,
    ...later,
    ...(localName === undefined ? {} : { localName }),
    manufacturerData: { ...earlier?.manufacturerData, ...later.manufacturerData },
  };
}

/** Converts a scan result to an advertisement. */
export function readAdvertisement(result: ScanResult, platform: Platform): Advertisement {
  const data = result.manufacturerData?.[String(COMPANY_ID)];
  const extendInfo =
    data && decodeAdvertisement(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return {
    // Once it has connected, iOS reports the device's full name. Advertisements contain only part of it.
    name: result.device.name ?? result.localName ?? '',
    ...(result.rssi === undefined ? {} : { rssi: result.rssi }),
    // Instead of the address, iOS reports an identifier that differs between phones.
    ...(platform === 'android' ? { mac: result.device.deviceId } : {}),
    ...(extendInfo ? { sn: extendInfo.sn, extendInfo } : {}),
  };
}
