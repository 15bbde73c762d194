import type { Store } from './store.ts';

/** A recorder whose space is low. Sizes are in bytes. */
export type LowRecorder = {
  readonly sn: string;
  readonly name: string;
  readonly free: number;
  readonly totalSpace: number;
};

/** Whether this device notifies. `blocked` is the user's choice in the settings of the browser or phone. */
export type RecorderSpaceState = 'unsupported' | 'blocked' | 'off' | 'on';

/** A translated notification. */
export type NoticeText = {
  readonly title: string;
  readonly body: string;
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  /** Path of the page that a tap opens. */
  readonly path: string;
};

/**
 * Notifications that the recorder is almost full. This device shows them itself while the app is open: once, until the
 * recorder has space again.
 */
export type RecorderSpaceNotices = {
  state(): RecorderSpaceState;
  /** Asks the user for permission, so call it only on a tap. */
  turnOn(): Promise<RecorderSpaceState>;
  turnOff(): RecorderSpaceState;
  /** The recorder that the user has to be notified of; null if there is none. */
  readonly due: Store<LowRecorder | null>;
  /** Shows the notification of the recorder that is due. */
  show(text: NoticeText): void;
};
