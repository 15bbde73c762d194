import { merged, writable } from '@linnet/base';
import type { Store } from '../ports/store.ts';
import type { UpdateService } from '../ports/update.ts';

/** The pending update of the app's cached files. */
export type ShellUpdate = {
  /** Whether a new version has been downloaded. */
  readonly waiting: Store<boolean>;
  /** Activates the new version, which reloads all tabs. */
  takeOver(): void;
};

/** For phone apps, which are updated through app stores instead. */
export const noUpdate: ShellUpdate = {
  waiting: { get: () => false, subscribe: () => () => {} },
  takeOver() {},
};

/** Idle time in milliseconds before an update is offered. It is longer than the pause between two transfers. */
export const IDLE_MS = 5000;

/**
 * Creates the service that offers a new version while the app is idle. Activating it reloads all tabs, which would
 * interrupt any running operation.
 * @param isBusy returns whether an operation is in progress
 * @param sources the stores that `isBusy` is derived from
 */
export function createUpdate(
  shell: ShellUpdate,
  isBusy: () => boolean,
  sources: readonly Pick<Store<unknown>, 'subscribe'>[],
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
  const unsubscribe = merged(shell.waiting, ...sources)(update);
  update();
  return {
    service: { state, restart: shell.takeOver },
    stop() {
      clearTimeout(timer);
      unsubscribe();
    },
  };
}
