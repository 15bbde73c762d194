/** The recorder being checked: a software recorder at a URL, or a recorder in range of this computer's Bluetooth. */
import type { Transport } from '@linnet/device/transport';
import {
  Bluez,
  BluezError,
  type BluezErrorCode,
  type BluezRecorder,
} from '@linnet/transports/bluez';
import { openWebSocket } from '@linnet/transports/websocket';
import { CommandFailure } from './remote.ts';

export type CheckTarget =
  /** A WebSocket URL, `ws://` or `wss://`. */
  | { readonly kind: 'socket'; readonly url: string }
  | {
      readonly kind: 'bluetooth';
      /** A name or Bluetooth address, or null to check the only recorder in range. */
      readonly requestedName: string | null;
      readonly searchSeconds: number;
    };

export type CheckedRecorder = {
  /** The name shown in messages. */
  readonly name: string;
  /** @throws {TransportError} */
  readonly connect: () => Promise<Transport>;
  /** Whether `connect` can attempt a second connection while one is open. */
  readonly supportsSecondConnection: boolean;
  /** Requests the advertisement. Rejects if there is none. */
  readonly readAdvertisement: () => Promise<unknown>;
  readonly close: () => void;
};

const ADVERTISEMENT_TIMEOUT_MS = 3000;
/** How long to search for other recorders once one is found, in milliseconds. Recorders advertise every two seconds. */
const WAIT_FOR_OTHERS_MS = 3000;

const bluezMessages: Readonly<Record<BluezErrorCode, string>> = {
  no_bluez: 'BlueZ is not running. Checking a recorder over Bluetooth requires Linux with BlueZ',
  access_denied: "This user isn't allowed to use Bluetooth",
  no_adapter: 'This computer has no Bluetooth adapter',
  adapter_off: 'Bluetooth is off. Turn it on: bluetoothctl power on',
  search_failed: 'Searching for recorders over Bluetooth failed',
};

/** Prepares the connection to a recorder. @throws {CommandFailure} */
export async function openTarget(target: CheckTarget): Promise<CheckedRecorder> {
  if (target.kind === 'bluetooth') return openBluetooth(target);
  const { url } = target;
  return {
    name: url,
    connect: () => openWebSocket(url),
    supportsSecondConnection: true,
    readAdvertisement: () => readAdvertisement(url),
    close: () => undefined,
  };
}

async function readAdvertisement(url: string): Promise<unknown> {
  const address = new URL('/advertisement', url);
  address.protocol = address.protocol === 'wss:' ? 'https:' : 'http:';
  const response = await fetch(address, { signal: AbortSignal.timeout(ADVERTISEMENT_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

type BluetoothTarget = Extract<CheckTarget, { kind: 'bluetooth' }>;

/** @throws {CommandFailure} */
async function openBluetooth(target: BluetoothTarget): Promise<CheckedRecorder> {
  try {
    const bluez = await Bluez.open();
    const recorder = await findRecorder(bluez, target).catch((error: unknown) => {
      bluez.close();
      throw error;
    });
    return {
      name: describe(recorder),
      connect: () => bluez.connect(recorder),
      supportsSecondConnection: false,
      readAdvertisement: () => bluez.readAdvertisement(recorder),
      close: () => bluez.close(),
    };
  } catch (error) {
    if (!(error instanceof BluezError)) throw error;
    const message = `${bluezMessages[error.code]} (${error.code}).`;
    throw new CommandFailure(message, { cause: error });
  }
}

const describe = ({ name, address }: BluezRecorder) => (name ? `${name} (${address})` : address);

/** @throws {CommandFailure} unless exactly one recorder is found */
async function findRecorder(
  bluez: Bluez,
  { requestedName, searchSeconds }: BluetoothTarget,
): Promise<BluezRecorder> {
  const isSame = (text: string) => text.toLowerCase() === requestedName?.toLowerCase();
  const isRequested = ({ name, address }: BluezRecorder) =>
    requestedName === null || isSame(name) || isSame(address);
  const timeoutMs = searchSeconds * 1000;
  const inRange = await bluez.find({
    timeoutMs,
    continueAfterMatchMs: WAIT_FOR_OTHERS_MS,
    isRequested,
  });
  const [found, ...others] = inRange.filter(isRequested);
  if (found && others.length === 0) return found;
  const list = inRange.map((recorder) => `\n  ${describe(recorder)}${signal(recorder)}`).join('');
  if (found) {
    throw new CommandFailure(
      `Several recorders were found. Specify one by name or address (several_found):${list}`,
    );
  }
  const recorder =
    requestedName === null ? 'No recorder' : `No recorder matching "${requestedName}"`;
  const hint = list && ` Others in range:${list}`;
  throw new CommandFailure(
    `${recorder} was found within ${seconds.format(searchSeconds)} (none_found).${hint}`,
  );
}

const seconds = new Intl.NumberFormat('en', { style: 'unit', unit: 'second', unitDisplay: 'long' });
const signal = ({ rssi }: BluezRecorder) => (rssi === null ? '' : `, ${rssi} dBm`);
