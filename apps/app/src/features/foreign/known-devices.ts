import type { RememberedRecorder } from '@linnet/device/transport';

/** A third-party recorder, visible only to the account that added it. */
export type KnownDevice = RememberedRecorder & { readonly uid: string };

/** The recorder that each account has added on this device. */
export type KnownDevices<Known extends KnownDevice> = {
  get(uid: string): Known | null;
  remember(device: Known): void;
  forget(uid: string): void;
};

/** @param key the local storage key */
export function createKnownDevices<Known extends KnownDevice>(key: string): KnownDevices<Known> {
  const load = () => JSON.parse(localStorage.getItem(key) ?? '[]') as Known[];
  const save = (devices: readonly Known[]) => localStorage.setItem(key, JSON.stringify(devices));
  return {
    get: (uid) => load().find((each) => each.uid === uid) ?? null,
    remember(device) {
      const others = load().filter(({ uid }) => uid !== device.uid);
      save([...others, device]);
    },
    forget: (uid) => save(load().filter((each) => each.uid !== uid)),
  };
}
