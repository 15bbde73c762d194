import type { Store } from './store.ts';

/** Updates of the app. */
export type UpdateService = {
  /** `ready` if a new version is available and restarting the app would not interrupt any operation. */
  readonly state: Store<'none' | 'ready'>;
  /** Restarts the app with the new version. */
  restart(): void;
};
