import { registerPlugin } from '@capacitor/core';
import type { Movement, ProgressBoard } from '@linnet/sync';
import { pluginErrorCode } from './plugin-error.ts';

/** The plugin implemented in TransfersPlugin.java and TransfersPlugin.swift. */
export type TransfersPlugin = {
  show(notice: TransferNotice & { readonly channel: string }): Promise<void>;
  hide(): Promise<void>;
};

/** Android's foreground service types, in descending priority. Only `microphone` allows recording. */
const SERVICE_TYPES = ['microphone', 'connectedDevice', 'dataSync'] as const;
type ServiceType = (typeof SERVICE_TYPES)[number];

/** The notification's content. */
export type TransferNotice = {
  readonly title: string;
  /** -1 if unknown. */
  readonly percent: number;
  readonly type: ServiceType;
};

/** A transfer or recording on this phone. Excludes transcriptions, which run on the server. */
type Transfer = Exclude<Movement, { step: 'transcribe' }>;

export type TransferTexts = {
  /** Returns the notification channel's name in Android's settings. */
  channel(): string;
  title(movement: Transfer, percent: number): string;
};

/**
 * How long the app keeps running after a transfer, in milliseconds. This bridges the pause before the next transfer,
 * because Android doesn't let an app restart a foreground service from the background.
 */
const LINGER_MS = 15_000;

/**
 * Keeps the app running in the background during transfers and recordings, and shows their progress in a notification.
 * @returns a function that stops this
 */
export function keepRunning(
  progress: ProgressBoard,
  texts: TransferTexts,
  onError: (error: unknown) => void,
  plugin = registerPlugin<TransfersPlugin>('Transfers'),
): () => void {
  /** The last notice sent. Initially undefined, because a previous page may have left a notification. */
  let lastSent: TransferNotice | null | undefined;
  let isSending = false;
  let hideTimer: ReturnType<typeof setTimeout> | undefined;

  function update(): void {
    const notice = selectNotice(progress.get(), texts);
    if (notice) {
      clearTimeout(hideTimer);
      hideTimer = undefined;
      send(notice);
    } else if (lastSent === undefined || lastSent?.type === 'microphone') {
      // The notification must not claim that the microphone is still in use.
      send(null);
    } else if (lastSent !== null) {
      hideTimer ??= setTimeout(() => {
        hideTimer = undefined;
        send(null);
      }, LINGER_MS);
    }
  }

  /** Sends a notice, unless it is unchanged or a call is in progress. After that call, `update` runs again. */
  function send(notice: TransferNotice | null): void {
    if (isSending || JSON.stringify(notice) === JSON.stringify(lastSent)) return;
    lastSent = notice;
    isSending = true;
    const call = notice ? plugin.show({ ...notice, channel: texts.channel() }) : plugin.hide();
    call
      .catch((error: unknown) => {
        // Android rejects the call while the app is in the background. A later call in the foreground succeeds.
        if (pluginErrorCode(error) !== 'not_allowed') onError(error);
      })
      .finally(() => {
        isSending = false;
        update();
      });
  }

  const unsubscribe = progress.subscribe(update);
  update();
  return () => {
    unsubscribe();
    clearTimeout(hideTimer);
    if (lastSent !== null) plugin.hide().catch(onError);
  };
}

function serviceType(transfer: Transfer): ServiceType {
  if (transfer.step === 'record' && transfer.source === 'microphone') return 'microphone';
  return transfer.step === 'record' || transfer.step === 'fetch' ? 'connectedDevice' : 'dataSync';
}

/**
 * Returns the notice for the first transfer with the highest-priority service type, or null if there are no transfers.
 */
export function selectNotice(
  movements: ReadonlyMap<string, Movement>,
  texts: Pick<TransferTexts, 'title'>,
): TransferNotice | null {
  const transfers = [...movements.values()].filter((each) => each.step !== 'transcribe');
  for (const type of SERVICE_TYPES) {
    const transfer = transfers.find((each) => serviceType(each) === type);
    if (!transfer) continue;
    const percent = 'fraction' in transfer ? Math.floor(transfer.fraction * 100) : -1;
    return { title: texts.title(transfer, percent), percent, type };
  }
  return null;
}
