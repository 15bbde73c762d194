/** The interface of emulated recorders from other manufacturers. */
import type { GattCharacteristic, GattLink } from '../gatt.ts';
import { type CloseReason, TransportError } from '../transport.ts';

export type EmulatedService = {
  readonly uuid: string;
  /** Flags have BlueZ's names: `read`, `write`, `notify`. */
  readonly characteristics: readonly { readonly uuid: string; readonly flags: readonly string[] }[];
};

/** The phone's side of a connection to an emulated recorder. */
export type EmulatedListener = {
  notification(characteristic: string, value: Uint8Array): void;
  closed(): void;
};

/** An emulated recorder. Characteristics are addressed by their UUIDs. */
export interface EmulatedGatt {
  readonly name: string;
  readonly mac: string;
  readonly services: readonly EmulatedService[];
  /** The UUIDs of the advertised services. */
  readonly advertised: readonly string[];
  readonly isConnected: boolean;
  /** Connects a phone. */
  connect(phone: EmulatedListener): void;
  /** Breaks the connection, as if the recorder were out of range. */
  cut(): void;
  read(characteristic: string): Uint8Array;
  write(characteristic: string, value: Uint8Array): void;
  setNotifying(characteristic: string, isOn: boolean): void;
}

/** Opens a link to an emulated recorder in memory. */
export function openEmulatedLink(recorder: EmulatedGatt): GattLink {
  const listeners = new Map<string, (bytes: Uint8Array) => void>();
  const closeListeners = new Set<(reason: CloseReason) => void>();
  let reason: CloseReason | null = null;
  const close = (closeReason: CloseReason) => {
    if (reason) return;
    reason = closeReason;
    for (const listener of closeListeners) listener(closeReason);
  };
  recorder.connect({
    notification: (characteristic, value) => listeners.get(characteristic)?.(value),
    closed: () => close('link_lost'),
  });
  const check = ({ service, characteristic }: GattCharacteristic) => {
    if (reason) throw new TransportError(reason === 'closed_by_us' ? 'closed' : 'link_lost');
    const hasCharacteristic = recorder.services
      .find(({ uuid: each }) => each === service)
      ?.characteristics.some(({ uuid: each }) => each === characteristic);
    if (!hasCharacteristic) throw new TransportError('not_a_recorder');
    return characteristic;
  };
  return {
    deviceId: 'emulated',
    name: recorder.name,
    has: async (service) => recorder.services.some(({ uuid: each }) => each === service),
    read: async (at) => recorder.read(check(at)),
    write: async (at, bytes) => recorder.write(check(at), bytes),
    async subscribe(at, listener) {
      const characteristic = check(at);
      listeners.set(characteristic, listener);
      recorder.setNotifying(characteristic, true);
      return async () => {
        listeners.delete(characteristic);
        recorder.setNotifying(characteristic, false);
      };
    },
    onClosed(listener) {
      if (reason) queueMicrotask(() => listener(reason ?? 'link_lost'));
      closeListeners.add(listener);
      return () => closeListeners.delete(listener);
    },
    async close() {
      close('closed_by_us');
      recorder.cut();
    },
  };
}
