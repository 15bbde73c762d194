import type { GattFinder } from '@linnet/device/gatt';
import { type EmulatedGatt, openEmulatedLink } from '@linnet/device/testing';
import { type RecorderFinder, TransportError } from '@linnet/device/transport';

/** Finds one emulated recorder from another manufacturer. Its links are in memory. */
export function createEmulatedFinder(recorder: EmulatedGatt): RecorderFinder & GattFinder {
  return {
    kind: 'web-bluetooth',
    discovery: 'chooser',
    availability: async () => ({ status: 'ready' }),
    onAvailabilityChange: () => () => {},
    find: async () => [
      {
        kind: 'web-bluetooth',
        deviceId: 'emulated',
        advertisement: { name: recorder.name },
        connect: () => Promise.reject(new TransportError('not_a_recorder')),
      },
    ],
    reopen: () => Promise.reject(new TransportError('not_a_recorder')),
    async openGatt() {
      if (recorder.isConnected) throw new TransportError('recorder_busy');
      return openEmulatedLink(recorder);
    },
  };
}
