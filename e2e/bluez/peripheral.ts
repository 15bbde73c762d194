/** Devices that can be in range of the emulated adapter. */
import {
  COMPANY_ID,
  type ExtendInfo,
  encodeAdvertisement,
  NOTIFY_UUID,
  SERVICE_UUID,
  WRITE_UUID,
} from '@linnet/device/codec';
import type { EmulatedGatt, EmulatedService } from '@linnet/device/testing';
import { RadioLink } from './radio-link.ts';

export interface Advertisement {
  readonly name: string;
  readonly mac: string;
  readonly rssi: number;
  /** The manufacturer's data. */
  readonly data?: { readonly companyId: number; readonly bytes: Uint8Array };
}

/** A connection to a device. Addresses characteristics by UUID. */
export interface PeripheralLink {
  read(characteristic: string): Uint8Array;
  write(characteristic: string, bytes: Uint8Array): void;
  setNotifying(characteristic: string, isOn: boolean): void;
  /** Pauses notifications while the bus is congested, if the device supports it. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface Peripheral {
  readonly services: readonly EmulatedService[];
  /** UUIDs of the advertised services. */
  readonly advertised: readonly string[];
  /** @returns null if the device isn't advertising */
  advertise(): Promise<Advertisement | null>;
  /** Rejects if the device refuses the connection. */
  connect(on: {
    notification(characteristic: string, bytes: Buffer): void;
    closed(): void;
  }): Promise<PeripheralLink>;
}

/**
 * Creates a virtual recorder.
 * @param recorderUrl URL of its control API, such as `http://127.0.0.1:8090`
 * @param payload notification size in bytes: 20, 182, 244 or 495
 */
export function virtualRecorder(recorderUrl: string, payload?: number): Peripheral {
  return {
    services: [
      {
        uuid: SERVICE_UUID,
        characteristics: [
          { uuid: WRITE_UUID, flags: ['write', 'write-without-response'] },
          { uuid: NOTIFY_UUID, flags: ['notify'] },
        ],
      },
    ],
    advertised: [SERVICE_UUID],
    async advertise() {
      const response = await fetch(new URL('/advertisement', recorderUrl)).catch(() => undefined);
      // A recorder that isn't running doesn't advertise.
      if (!response?.ok) return null;
      const { extendInfo, ...advertisement } = (await response.json()) as Advertisement & {
        readonly extendInfo?: ExtendInfo;
      };
      if (!extendInfo) return advertisement;
      const bytes = encodeAdvertisement(extendInfo);
      return { ...advertisement, data: { companyId: COMPANY_ID, bytes } };
    },
    async connect(on) {
      const url = new URL('/ble', recorderUrl);
      url.protocol = 'ws:';
      if (payload) url.searchParams.set('payload', String(payload));
      let isNotifying = false;
      const link = await RadioLink.open(url.href, {
        notification: (bytes) => isNotifying && on.notification(NOTIFY_UUID, bytes),
        closed: on.closed,
      });
      return {
        read: () => new Uint8Array(),
        write: (_, bytes) => link.write(bytes),
        setNotifying(_, isOn) {
          isNotifying = isOn;
        },
        pause: () => link.pause(),
        resume: () => link.resume(),
        close: () => link.close(),
      };
    },
  };
}

/** Creates an emulated recorder from another manufacturer. It advertises while disconnected. */
export function emulatedPeripheral(recorder: EmulatedGatt): Peripheral {
  return {
    services: recorder.services,
    advertised: recorder.advertised,
    advertise: async () =>
      recorder.isConnected ? null : { name: recorder.name, mac: recorder.mac, rssi: -50 },
    async connect(on) {
      recorder.connect({
        notification: (characteristic, value) =>
          on.notification(characteristic, Buffer.from(value)),
        closed: on.closed,
      });
      return {
        read: (characteristic) => recorder.read(characteristic),
        write: (characteristic, bytes) => recorder.write(characteristic, bytes),
        setNotifying: (characteristic, isOn) => recorder.setNotifying(characteristic, isOn),
        pause: () => {},
        resume: () => {},
        close: () => recorder.cut(),
      };
    },
  };
}
