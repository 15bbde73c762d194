import type { Store, UpdateService } from '../services.ts';
import { writable } from '../stores.ts';

/** What keeps the app's own files: whether a new version waits, and how it takes over. */
export type ShellUpdate = { readonly waiting: Store<boolean>; takeOver(): void };

/** Apps of phones are brought up to date by the phone. */
export const noUpdate: ShellUpdate = {
  waiting: { get: () => false, subscribe: () => () => {} },
  takeOver() {},
};

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
  const look = () => state.set(shell.waiting.get() && !isBusy() ? 'ready' : 'none');
  const unsubscribe = [shell.waiting, ...watched].map((each) => each.subscribe(look));
  look();
  return {
    service: { state, restart: shell.takeOver },
    stop() {
      for (const each of unsubscribe) each();
    },
  };
}
