/** Misfortunes on demand, for tests and for the curious. All are off until asked for. */
import { COMMANDS, type CommandName, RESULTS, type ResultName } from '@linnet/device/codec';
import { FIRMWARE_ERROR_CODES } from '@linnet/device/session';
import type { FirmwareStatus } from './flash/firmware.ts';
import { type AirFaults, clearAir } from './radio/radio.ts';

/** A network that the recorder hears. */
export interface Network {
  readonly ssid: string;
  /** dBm. */
  readonly rssi: number;
  /** Null for an open one. */
  readonly password: string | null;
}

export interface Faults extends AirFaults {
  /** New connections are turned away. */
  refuseConnect: boolean;
  /** So many requests for the session list are answered "busy". */
  listBusy: number;
  /** So many requests of any kind are not answered at all. */
  silence: number;
  /** Which command is not answered at all, for as long as that is so. */
  silentTo: CommandName | undefined;
  /** The session that it refuses to hand over, and with what result. */
  refuseSession:
    | { readonly sessionId: number; readonly result: Exclude<ResultName, 'ok'> }
    | undefined;
  /** The list of sessions is answered with bytes that are no list. */
  listMalformed: boolean;
  /** Bytes that it adds to what it says of the length of sessions that are whole; may be negative. */
  lengthLie: number;
  /** The recorder is a USB disk now (result 2). */
  usbDisk: boolean;
  /** The microphone is broken (result 3). */
  hardware: boolean;
  /** It can neither start nor stop: its status says "unavailable", and starting is answered "busy" (result 4). */
  unavailable: boolean;
  /** With what each start is refused, though nothing else is wrong. */
  startRefusal: Exclude<ResultName, 'ok'> | undefined;
  /** With what new firmware is refused once it came, though nothing is wrong with it. */
  updateRefusal: Exclude<FirmwareStatus, 'ok'> | undefined;
  /** Capacity of the flash, bytes. */
  storageBytes: number;
  /** Whether a bind request confirms itself after a moment, or waits for a short press. */
  bindConfirm: 'auto' | 'button';
  charging: boolean;
  /** Nobody can join the hotspot. */
  wifiDenied: boolean;
  /** The network goes when this many more bytes of sessions have left. */
  wifiVanishAfterBytes: number | undefined;
  /** What the recorder hears around it. */
  networks: readonly Network[];
}

/** 32 GB. */
const DEFAULT_STORAGE_BYTES = 32 * 2 ** 30;

export function noFaults(): Faults {
  return {
    ...clearAir(),
    refuseConnect: false,
    listBusy: 0,
    silence: 0,
    silentTo: undefined,
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

const count = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const flag = (value: unknown) => typeof value === 'boolean';
function isNetwork(value: Partial<Network> | null): boolean {
  const { ssid, rssi, password } = value ?? {};
  const named = typeof ssid === 'string' && Number.isInteger(rssi);
  return named && (password === null || typeof password === 'string');
}
const orNothing = (check: (value: unknown) => boolean) => (value: unknown) =>
  value === null || check(value);

const oneOf = (names: readonly string[]) => (value: unknown) =>
  typeof value === 'string' && names.includes(value);
/** With what a recorder may refuse. */
const refusals = Object.keys(RESULTS).filter((name) => name !== 'ok');

function isRefusedSession(value: unknown): boolean {
  const { sessionId, result } = value as { sessionId?: unknown; result?: unknown };
  return count(sessionId) && oneOf(refusals)(result);
}

const checks: { readonly [K in keyof Faults]: (value: unknown) => boolean } = {
  dropAfterBytes: orNothing(count),
  corruptAfterBytes: orNothing(count),
  duplicateAfterBytes: orNothing(count),
  delayMs: count,
  refuseConnect: flag,
  listBusy: count,
  silence: count,
  silentTo: orNothing(oneOf(Object.keys(COMMANDS))),
  refuseSession: orNothing(isRefusedSession),
  listMalformed: flag,
  lengthLie: Number.isSafeInteger,
  usbDisk: flag,
  hardware: flag,
  unavailable: flag,
  startRefusal: orNothing(oneOf(refusals)),
  updateRefusal: orNothing(oneOf(FIRMWARE_ERROR_CODES)),
  storageBytes: count,
  bindConfirm: oneOf(['auto', 'button']),
  charging: flag,
  wifiDenied: flag,
  wifiVanishAfterBytes: orNothing(count),
  networks: (value) => Array.isArray(value) && value.every(isNetwork),
};

/** Changes some; `null` takes back a countdown. Returns the name of a field that makes no sense. */
export function setFaults(faults: Faults, change: Readonly<Record<string, unknown>>) {
  const wrong = Object.entries(change).find(
    ([name, value]) => !(Object.hasOwn(checks, name) && checks[name as keyof Faults](value)),
  );
  if (wrong) return wrong[0];
  for (const [name, value] of Object.entries(change)) {
    Object.assign(faults, { [name]: value ?? undefined });
  }
  return undefined;
}
