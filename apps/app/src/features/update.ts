import { merged, writable } from '@linnet/base';
import type { Store } from '../ports/store.ts';
import type { UpdateService } from '../ports/update.ts';

/** The cached app shell. `waiting`: a new version is ready; `takeOver` activates it. */
export type ShellUpdate = { readonly waiting: Store<boolean>; takeOver(): void };

/** Phone apps are updated by the app store. */
export const noUpdate: ShellUpdate = {
  waiting: { get: () => false, subscribe: () => () => {} },
  takeOver() {},
};

/**
 * Idle time in milliseconds before an update is offered; it exceeds the gap between two transferred recordings.
 */
export const IDLE_MS = 5000;

/**
 * Offers a new version while the app is idle, since activating it reloads every page.
 * @param isBusy whether an operation is in progress
 * @param watched notifies when `isBusy` may have changed
 */
export function createUpdate(
  shell: ShellUpdate,
  isBusy: () => boolean,
  watched: readonly Pick<Store<unknown>, 'subscribe'>[],
): { readonly service: UpdateService; stop(): void } {
  const state = writable<'none' | 'ready'>('none');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = () => {
    if (!shell.waiting.get() || isBusy()) {
      clearTimeout(timer);
      timer = undefined;
      state.set('none');
    } else if (state.get() === 'none') {
      timer ??= setTimeout(() => state.set('ready'), IDLE_MS);
    }
  };
  const unsubscribe = merged(shell.waiting, ...watched)(update);
  update();
  return {
    service: { state, restart: shell.takeOver },
    stop() {
      clearTimeout(timer);
      unsubscribe();
    },
  };
}
