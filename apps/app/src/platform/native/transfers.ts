import { registerPlugin } from '@capacitor/core';
import type { Movement, ProgressBoard } from '@linnet/sync';
import { codeOf } from './plugin-error.ts';

/** Our own plugin: TransfersPlugin.java and .swift. */
export type TransfersPlugin = {
  show(shown: Shown & { readonly channel: string }): Promise<void>;
  hide(): Promise<void>;
};

/** The notification's content; `percent` is -1 if unknown. `recorder`: the transfer comes from one. */
export type Shown = {
  readonly title: string;
  readonly percent: number;
  readonly recorder: boolean;
};

/** Transfers made by this phone. A transcription continues on the server without it. */
type Moved = Exclude<Movement, { step: 'transcribe' }>;

export type TransferWords = {
  /** Name of the notification channel in Android's settings. */
  channel(): string;
  title(movement: Moved, percent: number): string;
};

/**
 * Time in milliseconds for which the app keeps running after the last transfer. There is a gap between two
 * recordings, and Android does not let an app restart a foreground service in the background.
 */
const LINGER_MS = 15_000;

/**
 * Keeps the app running while this phone transfers recordings, and shows their progress.
 * @returns a function that stops it
 */
export function keepRunning(
  progress: ProgressBoard,
  words: TransferWords,
  onError: (error: unknown) => void,
  plugin = registerPlugin<TransfersPlugin>('Transfers'),
): () => void {
  /** Unknown at first, since a previous page may have left a notification. */
  let sent: string | null | undefined;
  let busy = false;
  let lingering: ReturnType<typeof setTimeout> | undefined;

  function follow(): void {
    const shown = whatMoves(progress.get(), words);
    if (shown) {
      clearTimeout(lingering);
      lingering = undefined;
      send(shown);
    } else if (sent === undefined) {
      send(null);
    } else if (sent !== null) {
      lingering ??= setTimeout(() => {
        // Sent later if a call is in progress now.
        lingering = undefined;
        send(null);
      }, LINGER_MS);
    }
  }

  /** One call at a time; later changes are sent afterwards. */
  function send(shown: Shown | null): void {
    const next = shown && JSON.stringify(shown);
    if (busy || next === sent) return;
    sent = next;
    busy = true;
    const call = shown ? plugin.show({ ...shown, channel: words.channel() }) : plugin.hide();
    call
      .catch((error: unknown) => {
        // Refused in the background by Android; the next transfer in the foreground tries again.
        if (codeOf(error) !== 'not_allowed') onError(error);
      })
      .finally(() => {
        busy = false;
        follow();
      });
  }

  const unsubscribe = progress.subscribe(follow);
  follow();
  return () => {
    unsubscribe();
    clearTimeout(lingering);
    if (sent !== null) plugin.hide().catch(onError);
  };
}

/** The transfer shown among all: the first from a recorder, else the first; null for none. */
export function whatMoves(
  movements: ReadonlyMap<string, Movement>,
  words: Pick<TransferWords, 'title'>,
): Shown | null {
  const moved = [...movements.values()].filter((each) => each.step !== 'transcribe');
  const fromRecorder = ({ step }: Moved) => step === 'fetch' || step === 'record';
  const first = moved.find(fromRecorder) ?? moved[0];
  if (!first) return null;
  const percent = 'fraction' in first ? Math.floor(first.fraction * 100) : -1;
  return { title: words.title(first, percent), percent, recorder: fromRecorder(first) };
}
