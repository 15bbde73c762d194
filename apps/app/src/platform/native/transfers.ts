import { registerPlugin } from '@capacitor/core';
import type { Movement, ProgressBoard } from '@linnet/sync';
import { codeOf } from './plugin-error.ts';

/** Our own plugin: TransfersPlugin.java and .swift. */
export type TransfersPlugin = {
  show(shown: Shown & { readonly channel: string }): Promise<void>;
  hide(): Promise<void>;
};

/** What the notification says; `percent` is -1 where nobody knows. `recorder`: it comes from one. */
export type Shown = {
  readonly title: string;
  readonly percent: number;
  readonly recorder: boolean;
};

/** What is moved by this phone; what the server does with it goes on without. */
type Moved = Exclude<Movement, { step: 'transcribe' }>;

export type TransferWords = {
  /** What Android calls this kind of notification in its settings. */
  channel(): string;
  title(movement: Moved, percent: number): string;
};

/**
 * Milliseconds for which the app is kept running after the last movement: between two recordings there is a
 * moment in which none moves, and what has ended in the background, Android lets nobody begin again.
 */
const LINGER_MS = 15_000;

/**
 * Keeps the app running while this phone moves recordings, and shows how far they are.
 * @returns stops doing so
 */
export function keepRunning(
  progress: ProgressBoard,
  words: TransferWords,
  onError: (error: unknown) => void,
  plugin = registerPlugin<TransfersPlugin>('Transfers'),
): () => void {
  /** Unknown at first: pages before these may have left something running. */
  let told: string | null | undefined;
  let busy = false;
  let lingering: ReturnType<typeof setTimeout> | undefined;

  function follow(): void {
    const shown = whatMoves(progress.get(), words);
    if (shown) {
      clearTimeout(lingering);
      lingering = undefined;
      tell(shown);
    } else if (told === undefined) {
      tell(null);
    } else if (told !== null) {
      lingering ??= setTimeout(() => {
        // Told again later where a call is under way now.
        lingering = undefined;
        tell(null);
      }, LINGER_MS);
    }
  }

  /** One call at a time; what changed meanwhile is told afterwards. */
  function tell(shown: Shown | null): void {
    const next = shown && JSON.stringify(shown);
    if (busy || next === told) return;
    told = next;
    busy = true;
    const asked = shown ? plugin.show({ ...shown, channel: words.channel() }) : plugin.hide();
    asked
      .catch((error: unknown) => {
        // Begun in the background, where Android lets no app: the next movement in sight asks again.
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
    if (told !== null) plugin.hide().catch(onError);
  };
}

/** What is shown of all that moves: the first that comes from a recorder, else the first; null for nothing. */
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
