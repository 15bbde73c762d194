import type { Store } from './store.ts';

/** App updates. */
export type UpdateService = {
  /** `ready` if a new version is available and restarting the app wouldn't interrupt anything. */
  readonly state: Store<'none' | 'ready'>;
  /** Restarts the app with the new version. */
  restart(): void;
};
