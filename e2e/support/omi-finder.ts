import type { GattFinder } from '@linnet/device/gatt';
import { type RecorderFinder, TransportError } from '@linnet/device/transport';
import { type EmulatedOmi, openMemoryLink } from '@linnet/omi/testing';

/** Finds one emulated Omi, whose links are in memory. */
export function createOmiFinder(omi: EmulatedOmi): RecorderFinder & GattFinder {
  return {
    kind: 'web-bluetooth',
    discovery: 'chooser',
    availability: async () => ({ status: 'ready' }),
    onAvailabilityChange: () => () => {},
    find: async () => [
      {
        kind: 'web-bluetooth',
        deviceId: 'emulated',
        advertisement: { name: omi.name },
        connect: () => Promise.reject(new TransportError('not_a_recorder')),
      },
    ],
    reopen: () => Promise.reject(new TransportError('not_a_recorder')),
    async openGatt() {
      if (omi.isConnected) throw new TransportError('recorder_busy');
      return openMemoryLink(omi);
    },
  };
}
