import type { Store } from '../ports/store.ts';
import type { UpdateService } from '../ports/update.ts';
import { writable } from '../stores.ts';

/** What keeps the app's own files: whether a new version waits, and how it takes over. */
export type ShellUpdate = { readonly waiting: Store<boolean>; takeOver(): void };

/** Apps of phones are brought up to date by the phone. */
export const noUpdate: ShellUpdate = {
  waiting: { get: () => false, subscribe: () => () => {} },
  takeOver() {},
};

/** Milliseconds without anything under way after which it is over: between two recordings there is a gap. */
export const SETTLED_MS = 5000;

/**
 * Offers a new version while nothing is under way: taking over begins every page anew.
 * @param isBusy whether something is under way now
 * @param watched tell when that may have changed
 */
export function createUpdate(
  shell: ShellUpdate,
  isBusy: () => boolean,
  watched: readonly Pick<Store<unknown>, 'subscribe'>[],
): { readonly service: UpdateService; stop(): void } {
  const state = writable<'none' | 'ready'>('none');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    if (!shell.waiting.get() || isBusy()) {
      clearTimeout(timer);
      timer = undefined;
      state.set('none');
    } else if (state.get() === 'none') {
      timer ??= setTimeout(() => state.set('ready'), SETTLED_MS);
    }
  };
  const unsubscribe = [shell.waiting, ...watched].map((each) => each.subscribe(look));
  look();
  return {
    service: { state, restart: shell.takeOver },
    stop() {
      clearTimeout(timer);
      for (const each of unsubscribe) each();
    },
  };
}
