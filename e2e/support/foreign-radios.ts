/** The radios through which the apps reach recorders from other manufacturers, with one emulated recorder in range. */
import type { GattFinder } from '@linnet/device/gatt';
import type { EmulatedGatt } from '@linnet/device/testing';
import type { RecorderFinder, RememberedRecorder } from '@linnet/device/transport';
import { omiProfile } from '@linnet/omi';
import { pocketProfile } from '@linnet/pocket';
import { createCapacitorFinder } from '@linnet/transports/capacitor-ble';
import { PhoneWithRecorder } from '@linnet/transports/testing';
import { createEmulatedFinder } from './emulated-finder.ts';

export type ForeignRadio = {
  readonly name: string;
  /** The finder's kind. */
  readonly kind: 'web-bluetooth' | 'capacitor-ble';
  createFinder(recorder: EmulatedGatt): RecorderFinder & GattFinder;
  /** Returns how the finder names the recorder. */
  found(recorder: EmulatedGatt): RememberedRecorder;
};

/** Links in memory. */
export const memoryRadio: ForeignRadio = {
  name: 'in memory',
  kind: 'web-bluetooth',
  createFinder: createEmulatedFinder,
  found: ({ name }) => ({ kind: 'web-bluetooth', deviceId: 'emulated', name }),
};

/** The adapter of the phone apps, with a test double for the phone's radio. */
const phoneRadio = (platform: 'android' | 'ios'): ForeignRadio => ({
  name: `on ${platform}`,
  kind: 'capacitor-ble',
  createFinder: (recorder) =>
    createCapacitorFinder([omiProfile, pocketProfile], new PhoneWithRecorder(recorder), platform),
  found: ({ name, mac }) => ({ kind: 'capacitor-ble', deviceId: mac, name }),
});

export const foreignRadios: readonly ForeignRadio[] = [
  memoryRadio,
  phoneRadio('android'),
  phoneRadio('ios'),
];
