import { writable } from '@linnet/base';
import type { ConnectedRecorder, LinkState } from '../../ports/recorder.ts';
import type {
  LowRecorder,
  NoticeText,
  RecorderSpaceNotices,
  RecorderSpaceState,
} from '../../ports/recorder-space-notices.ts';
import type { Store } from '../../ports/store.ts';
import type { DeviceNotifications } from './device-notifications.ts';

/** Local storage key of the account that turned these notifications on. */
const OWNER_KEY = 'RECORDER_SPACE_NOTICES';
/** Local storage key of recorders that the user was notified about: one serial number per line. */
const NOTIFIED_KEY = 'RECORDER_SPACE_NOTIFIED';

/** Storage counts as low if less than this fraction is free. */
const lowFraction = 0.1;
/**
 * An hour of audio in bytes (64 kbit/s packets in Ogg). Storage also counts as low below this size, even on small
 * recorders.
 */
const hourBytes = 29e6;
/** Factor by which free storage must exceed the limit before another notification, to prevent repeats at the limit. */
const freedFactor = 1.5;

export type RecorderSpaceOptions = {
  readonly link: Store<LinkState>;
  /** Null if this device has no notifications. */
  readonly device: Pick<DeviceNotifications, 'permission' | 'requestPermission' | 'show'> | null;
  /** Returns the ID of the signed-in account. */
  readonly uid: () => string | null;
  readonly onError: (error: unknown) => void;
};

export function createRecorderSpaceNotices(
  options: RecorderSpaceOptions,
): RecorderSpaceNotices & { stop(): void } {
  const { link, device, uid, onError } = options;
  const dueNotice = writable<LowRecorder | null>(null);
  const notified = new Set((localStorage.getItem(NOTIFIED_KEY) ?? '').split('\n').filter(Boolean));

  /** Stores the account or the notified recorders. If local storage is full, they are lost when the app is closed. */
  function store(key: string, value: string): void {
    try {
      if (value === '') localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch (error) {
      onError(error);
    }
  }
  const storeNotified = () => store(NOTIFIED_KEY, [...notified].join('\n'));

  function state(): RecorderSpaceState {
    if (!device) return 'unsupported';
    if (device.permission() === 'denied') return 'blocked';
    const owner = localStorage.getItem(OWNER_KEY);
    return owner !== null && owner === uid() && device.permission() === 'granted' ? 'on' : 'off';
  }

  function check(): void {
    const current = link.get();
    if (state() !== 'on' || current.status !== 'connected') {
      dueNotice.set(null);
      return;
    }
    const { sn, name, recorder } = current;
    const level = toLevel(recorder.storage);
    if (level === 'freed' && notified.delete(sn)) storeNotified();
    const isDue = level === 'low' && !notified.has(sn);
    if (!isDue) dueNotice.set(null);
    // Update the amount while the notification is pending.
    else if (dueNotice.get()?.sn !== sn) {
      const { free, totalSpace } = recorder.storage;
      dueNotice.set({ sn, name, free, totalSpace });
    }
  }

  function clearNotified(): void {
    notified.clear();
    storeNotified();
  }

  const unsubscribe = link.subscribe(check);
  return {
    state,
    due: dueNotice,

    async turnOn() {
      if (!device) return 'unsupported';
      // Browsers show the prompt only right after a tap.
      const permission = await device.requestPermission();
      const owner = uid();
      if (permission === 'granted' && owner !== null) {
        clearNotified();
        store(OWNER_KEY, owner);
        check();
      }
      return state();
    },

    turnOff() {
      clearNotified();
      store(OWNER_KEY, '');
      check();
      return state();
    },

    show(text: NoticeText) {
      const recorder = dueNotice.get();
      if (!device || !recorder) return;
      notified.add(recorder.sn);
      dueNotice.set(null);
      device
        .show({ ...text, tag: `recorder-space ${recorder.sn}` })
        .then(storeNotified, (error: unknown) => {
          // The recorder's next report retries.
          notified.delete(recorder.sn);
          onError(error);
        });
    },

    stop: unsubscribe,
  };
}

/**
 * Returns the level of a recorder's free storage. `between` changes no notification, and also means an unknown size.
 */
function toLevel({
  totalSpace,
  free,
  isFull,
}: ConnectedRecorder['storage']): 'low' | 'between' | 'freed' {
  if (isFull) return 'low';
  if (totalSpace === 0) return 'between';
  const limit = Math.max(totalSpace * lowFraction, Math.min(hourBytes, totalSpace / 2));
  if (free < limit) return 'low';
  return free >= limit * freedFactor ? 'freed' : 'between';
}
