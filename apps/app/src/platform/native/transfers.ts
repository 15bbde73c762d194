import { registerPlugin } from '@capacitor/core';
import type { Movement, ProgressBoard } from '@linnet/sync';
import { pluginErrorCode } from './plugin-error.ts';

/** Plugin implemented by TransfersPlugin.java and .swift. */
export type TransfersPlugin = {
  show(shown: TransferNotice & { readonly channel: string }): Promise<void>;
  hide(): Promise<void>;
};

/** Content of the notification. `percent` is -1 if unknown; `recorder` marks a transfer from a recorder. */
export type TransferNotice = {
  readonly title: string;
  readonly percent: number;
  readonly recorder: boolean;
};

/** Transfers of this phone, without transcriptions, which run on the server. */
type Transfer = Exclude<Movement, { step: 'transcribe' }>;

export type TransferWords = {
  /** Name of the notification channel in Android's settings. */
  channel(): string;
  title(movement: Transfer, percent: number): string;
};

/**
 * Time in milliseconds for which the app keeps running after the last transfer. It bridges the gap between two
 * recordings, because Android does not allow restarting a foreground service in the background.
 */
const LINGER_MS = 15_000;

/**
 * Keeps the app running during transfers and shows their progress in a notification.
 * @returns a function that ends this
 */
export function keepRunning(
  progress: ProgressBoard,
  words: TransferWords,
  onError: (error: unknown) => void,
  plugin = registerPlugin<TransfersPlugin>('Transfers'),
): () => void {
  /** The notice last sent. Undefined at first, since a previous page may have left a notification. */
  let sent: string | null | undefined;
  let isSending = false;
  let lingering: ReturnType<typeof setTimeout> | undefined;

  function update(): void {
    const shown = currentTransfer(progress.get(), words);
    if (shown) {
      clearTimeout(lingering);
      lingering = undefined;
      send(shown);
    } else if (sent === undefined) {
      send(null);
    } else if (sent !== null) {
      lingering ??= setTimeout(() => {
        // If a call is in progress, `update` sends this afterwards.
        lingering = undefined;
        send(null);
      }, LINGER_MS);
    }
  }

  /** Sends a notice, unless a call is in progress; `update` sends later changes after it. */
  function send(shown: TransferNotice | null): void {
    const next = shown && JSON.stringify(shown);
    if (isSending || next === sent) return;
    sent = next;
    isSending = true;
    const call = shown ? plugin.show({ ...shown, channel: words.channel() }) : plugin.hide();
    call
      .catch((error: unknown) => {
        // Android rejects the call in the background; the next transfer in the foreground retries.
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
    clearTimeout(lingering);
    if (sent !== null) plugin.hide().catch(onError);
  };
}

/** Selects the transfer to show: the first from a recorder, or else the first; null if there is none. */
export function currentTransfer(
  movements: ReadonlyMap<string, Movement>,
  words: Pick<TransferWords, 'title'>,
): TransferNotice | null {
  const transfers = [...movements.values()].filter((each) => each.step !== 'transcribe');
  const fromRecorder = ({ step }: Transfer) => step === 'fetch' || step === 'record';
  const first = transfers.find(fromRecorder) ?? transfers[0];
  if (!first) return null;
  const percent = 'fraction' in first ? Math.floor(first.fraction * 100) : -1;
  return { title: words.title(first, percent), percent, recorder: fromRecorder(first) };
}
