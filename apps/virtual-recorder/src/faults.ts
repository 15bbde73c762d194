/** Fault injection for tests and demonstrations. All faults are off by default. */
import { COMMANDS, type CommandName, RESULTS, type ResultName } from '@linnet/device/codec';
import { FIRMWARE_ERROR_CODES } from '@linnet/device/session';
import type { FirmwareStatus } from './flash/firmware.ts';
import { type AirFaults, noAirFaults } from './radio/radio.ts';

/** A Wi-Fi network in range of the recorder. */
export interface Network {
  readonly ssid: string;
  /** The signal strength in dBm. */
  readonly rssi: number;
  /** The password, or null for an open network. */
  readonly password: string | null;
}

export interface Faults extends AirFaults {
  /** Rejects new connections. */
  refuseConnect: boolean;
  /** The number of session list requests to reject with `busy`. */
  listBusy: number;
  /** The number of requests to ignore, without a response. */
  silence: number;
  /** The command to ignore, without a response. */
  silentTo: CommandName | undefined;
  /** Commands that the recorder doesn't support (result 32). */
  unknownCommands: readonly CommandName[];
  /** A session that can't be read, and the result for rejecting reads. */
  refuseSession:
    | { readonly sessionId: number; readonly result: Exclude<ResultName, 'ok'> }
    | undefined;
  /** Sends a malformed session list. */
  listMalformed: boolean;
  /** Offset added to the reported length of complete sessions, in bytes. May be negative. */
  lengthLie: number;
  /** Whether the recorder is in USB disk mode (result 2). */
  usbDisk: boolean;
  /** Whether the microphone is broken (result 3). */
  hardware: boolean;
  /** Reports the status `unavailable`, and refuses to start recording, with the result `busy` (4). */
  unavailable: boolean;
  /** The result for rejecting every attempt to start a recording. */
  startRefusal: Exclude<ResultName, 'ok'> | undefined;
  /** The status for rejecting a complete firmware image. */
  updateRefusal: Exclude<FirmwareStatus, 'ok'> | undefined;
  /** The capacity of the flash in bytes. */
  storageBytes: number;
  /** Whether a bind is confirmed automatically or with the button. */
  bindConfirm: 'auto' | 'button';
  charging: boolean;
  /** Rejects phones that join the hotspot. */
  wifiDenied: boolean;
  /** Stops the network after this many session bytes. */
  wifiVanishAfterBytes: number | undefined;
  /** The Wi-Fi networks in range. */
  networks: readonly Network[];
}

/** The default capacity of the flash: 32 GiB. */
const DEFAULT_STORAGE_BYTES = 32 * 2 ** 30;

export function noFaults(): Faults {
  return {
    ...noAirFaults(),
    refuseConnect: false,
    listBusy: 0,
    silence: 0,
    silentTo: undefined,
    unknownCommands: [],
    refuseSession: undefined,
    listMalformed: false,
    lengthLie: 0,
    usbDisk: false,
    hardware: false,
    unavailable: false,
    startRefusal: undefined,
    updateRefusal: undefined,
    storageBytes: DEFAULT_STORAGE_BYTES,
    bindConfirm: 'auto',
    charging: false,
    wifiDenied: false,
    wifiVanishAfterBytes: undefined,
    networks: [],
  };
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isFlag = (value: unknown) => typeof value === 'boolean';
function isNetwork(value: Partial<Network> | null): boolean {
  const { ssid, rssi, password } = value ?? {};
  const hasName = typeof ssid === 'string' && Number.isInteger(rssi);
  return hasName && (password === null || typeof password === 'string');
}
const orNull = (check: (value: unknown) => boolean) => (value: unknown) =>
  value === null || check(value);

const isOneOf = (names: readonly string[]) => (value: unknown) =>
  typeof value === 'string' && names.includes(value);
/** All results except `ok`. */
const refusalNames = Object.keys(RESULTS).filter((name) => name !== 'ok');

function isRefusedSession(value: unknown): boolean {
  const { sessionId, result } = value as { sessionId?: unknown; result?: unknown };
  return isCount(sessionId) && isOneOf(refusalNames)(result);
}

const checks: { readonly [K in keyof Faults]: (value: unknown) => boolean } = {
  dropAfterBytes: orNull(isCount),
  corruptAfterBytes: orNull(isCount),
  duplicateAfterBytes: orNull(isCount),
  delayMs: isCount,
  refuseConnect: isFlag,
  listBusy: isCount,
  silence: isCount,
  silentTo: orNull(isOneOf(Object.keys(COMMANDS))),
  unknownCommands: (value) => Array.isArray(value) && value.every(isOneOf(Object.keys(COMMANDS))),
  refuseSession: orNull(isRefusedSession),
  listMalformed: isFlag,
  lengthLie: Number.isSafeInteger,
  usbDisk: isFlag,
  hardware: isFlag,
  unavailable: isFlag,
  startRefusal: orNull(isOneOf(refusalNames)),
  updateRefusal: orNull(isOneOf(FIRMWARE_ERROR_CODES)),
  storageBytes: isCount,
  bindConfirm: isOneOf(['auto', 'button']),
  charging: isFlag,
  wifiDenied: isFlag,
  wifiVanishAfterBytes: orNull(isCount),
  networks: (value) => Array.isArray(value) && value.every(isNetwork),
};

/**
 * Applies changes. `null` turns a fault off.
 * @returns the name of an invalid field, or undefined
 */
export function setFaults(faults: Faults, change: Readonly<Record<string, unknown>>) {
  const invalid = Object.entries(change).find(
    ([name, value]) => !(Object.hasOwn(checks, name) && checks[name as keyof Faults](value)),
  );
  if (invalid) return invalid[0];
  for (const [name, value] of Object.entries(change)) {
    Object.assign(faults, { [name]: value ?? undefined });
  }
  return undefined;
}
