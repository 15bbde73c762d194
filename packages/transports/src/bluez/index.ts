/** Connects Node programs to recorders through BlueZ, the Linux Bluetooth service. */

import { Variant } from '@jellybrick/dbus-next';
import { COMPANY_ID, decodeAdvertisement, SERVICE_UUID } from '@linnet/device/codec';
import { type Advertisement, type Transport, TransportError } from '@linnet/device/transport';
import { ADAPTER, BluezBus, DEVICE } from './bus.ts';
import { BluezError, toBluezError } from './errors.ts';
import { openTransport } from './link.ts';

export { BluezError, type BluezErrorCode } from './errors.ts';

/** A discovered recorder. */
export type BluezRecorder = {
  /** The advertised name, or an empty string. */
  readonly name: string;
  /** The Bluetooth address, such as `02:00:00:00:00:01`. */
  readonly address: string;
  /** The signal strength in dBm, or null if unknown. */
  readonly rssi: number | null;
};

export type SearchOptions = {
  /** How long to search if no recorder is found, in milliseconds. */
  readonly timeoutMs: number;
  /** How long to keep searching after the first match, in milliseconds. */
  readonly continueAfterMatchMs: number;
  /** How long to accept only new advertisements before earlier ones count, in milliseconds; 0 by default. */
  readonly newAdvertisementsOnlyMs?: number;
  /** Returns true for a recorder that the caller is looking for. */
  readonly isRequested: (recorder: BluezRecorder) => boolean;
};

/** Timeout in milliseconds for rediscovering a known recorder. A sleeping recorder advertises every two seconds. */
const REDISCOVERY_MS = 10_000;
/** How long to wait for a new advertisement of a recorder that BlueZ already knows, in milliseconds: two intervals. */
const NEW_ADVERTISEMENT_MS = 5000;

/** A connection to this computer's Bluetooth adapter. */
export class Bluez {
  private readonly bus: BluezBus;
  private readonly adapter: string;

  private constructor(bus: BluezBus, adapter: string) {
    this.bus = bus;
    this.adapter = adapter;
  }

  /**
   * Opens the first adapter that is on.
   * @param address the D-Bus address; defaults to the system bus
   * @throws {BluezError} `no_bluez`, `access_denied`, `no_adapter`, `adapter_off`
   */
  static async open(address?: string): Promise<Bluez> {
    const bus = await BluezBus.open(address);
    const adapters = bus.paths(ADAPTER).toSorted();
    const adapter = adapters.find((path) => bus.isTrue(path, ADAPTER, 'Powered'));
    if (adapter !== undefined) return new Bluez(bus, adapter);
    bus.close();
    throw new BluezError(adapters.length > 0 ? 'adapter_off' : 'no_adapter');
  }

  close(): void {
    this.bus.close();
  }

  /**
   * Searches for recorders. Stops `continueAfterMatchMs` after the first match, or after `timeoutMs`.
   * @returns all discovered recorders, including those that don't match, in order of discovery
   * @throws {BluezError} `adapter_off`, `access_denied`, `search_failed`
   */
  async find({
    timeoutMs,
    continueAfterMatchMs,
    newAdvertisementsOnlyMs = 0,
    isRequested,
  }: SearchOptions): Promise<readonly BluezRecorder[]> {
    const foundRecorders = new Map<string, BluezRecorder>();
    const ended = Promise.withResolvers<void>();
    const timers: NodeJS.Timeout[] = [];
    const add = (path: string) => {
      if (!this.isRecorder(path)) return;
      const isFirst = ![...foundRecorders.values()].some(isRequested);
      const recorder = this.describe(path);
      foundRecorders.set(path, recorder);
      if (isFirst && isRequested(recorder))
        timers.push(setTimeout(ended.resolve, continueAfterMatchMs));
    };
    const unsubscribe = this.bus.seen.subscribe(add);
    try {
      await this.startDiscovery();
      timers.push(setTimeout(ended.resolve, timeoutMs));
      const addKnown = () => {
        for (const path of this.bus.paths(DEVICE)) {
          if (this.isConnected(path) || this.isInRange(path)) add(path);
        }
      };
      if (newAdvertisementsOnlyMs > 0) timers.push(setTimeout(addKnown, newAdvertisementsOnlyMs));
      else addKnown();
      await ended.promise;
    } finally {
      unsubscribe();
      for (const timer of timers) clearTimeout(timer);
      await this.stopDiscovery();
    }
    return [...foundRecorders.values()];
  }

  /**
   * Searches for a recorder, and reads its next advertisement, or the most recent one if no new one arrives. A
   * connected recorder doesn't advertise.
   * @throws {TransportError} `not_found`, `radio_off`, `connect_failed`
   */
  async readAdvertisement({ address }: BluezRecorder): Promise<Advertisement> {
    const path = await this.findAgain(address, NEW_ADVERTISEMENT_MS);
    const { name } = this.describe(path);
    const data = this.bus.entry(path, DEVICE, 'ManufacturerData', String(COMPANY_ID));
    const extendInfo = data instanceof Uint8Array ? decodeAdvertisement(data) : undefined;
    return { name, ...(extendInfo ? { sn: extendInfo.sn, extendInfo } : {}) };
  }

  /**
   * Opens a link. First closes any existing connection from this computer to the recorder.
   * @throws {TransportError} `connect_failed`, `not_a_recorder`, `not_found`, `permission_denied`, `radio_off`,
   *   `unsupported`, `link_lost`
   */
  async connect({ address, name }: BluezRecorder): Promise<Transport> {
    if (!this.bus.isTrue(this.adapter, ADAPTER, 'Powered')) throw new TransportError('radio_off');
    const device = { deviceId: address, name };
    const known = this.findPath(address);
    if (known !== undefined) {
      try {
        return await openTransport(this.bus, known, device);
      } catch (error) {
        // BlueZ has just forgotten it.
        if (!(error instanceof TransportError) || error.code !== 'not_found') throw error;
      }
    }
    return openTransport(this.bus, await this.findAgain(address), device);
  }

  private findPath(address: string): string | undefined {
    return this.bus
      .paths(DEVICE)
      .find(
        (path) =>
          path.startsWith(`${this.adapter}/`) && this.bus.text(path, DEVICE, 'Address') === address,
      );
  }

  /**
   * Waits for an advertisement of a recorder, which BlueZ may have dropped because it hadn't advertised for a while.
   * @returns the path of the device's D-Bus object
   * @throws {TransportError} `not_found`, `radio_off`, `connect_failed`
   */
  private async findAgain(address: string, newAdvertisementsOnlyMs = 0): Promise<string> {
    const isRequested = (recorder: BluezRecorder) => recorder.address === address;
    let found: readonly BluezRecorder[];
    try {
      found = await this.find({
        timeoutMs: REDISCOVERY_MS,
        continueAfterMatchMs: 0,
        newAdvertisementsOnlyMs,
        isRequested,
      });
    } catch (cause) {
      const isOff = cause instanceof BluezError && cause.code === 'adapter_off';
      throw new TransportError(isOff ? 'radio_off' : 'connect_failed', { cause });
    }
    const path = this.findPath(address);
    if (path === undefined || !found.some(isRequested)) throw new TransportError('not_found');
    return path;
  }

  private isRecorder(path: string): boolean {
    if (!path.startsWith(`${this.adapter}/`)) return false;
    const uuids = this.bus.property(path, DEVICE, 'UUIDs');
    return Array.isArray(uuids) && uuids.some((uuid) => String(uuid) === SERVICE_UUID);
  }

  /** A recorder doesn't advertise while a program on this computer is connected to it. */
  private isConnected(path: string): boolean {
    return this.bus.isTrue(path, DEVICE, 'Connected');
  }

  /**
   * Whether the current search, or that of another program, has found the device. BlueZ knows the signal strength only
   * while it searches, and a program that joins a running search receives only changes.
   */
  private isInRange(path: string): boolean {
    return typeof this.bus.property(path, DEVICE, 'RSSI') === 'number';
  }

  private describe(path: string): BluezRecorder {
    const rssi = this.bus.property(path, DEVICE, 'RSSI');
    return {
      name: this.bus.text(path, DEVICE, 'Name'),
      address: this.bus.text(path, DEVICE, 'Address'),
      rssi: typeof rssi === 'number' ? rssi : null,
    };
  }

  private async startDiscovery(): Promise<void> {
    const call = { path: this.adapter, interface: ADAPTER };
    const filter = {
      UUIDs: new Variant('as', [SERVICE_UUID]),
      Transport: new Variant('s', 'le'),
    };
    try {
      await this.bus.call({
        ...call,
        member: 'SetDiscoveryFilter',
        signature: 'a{sv}',
        body: [filter],
      });
      await this.bus.call({ ...call, member: 'StartDiscovery' });
    } catch (error) {
      throw toBluezError(error, 'search_failed');
    }
  }

  /** Stops the search. Ignores errors: BlueZ stops it anyway when this process disconnects. */
  private async stopDiscovery(): Promise<void> {
    const call = { path: this.adapter, interface: ADAPTER, member: 'StopDiscovery' };
    await this.bus.call(call).catch(() => undefined);
  }
}
