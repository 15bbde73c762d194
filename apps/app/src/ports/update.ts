import type { Store } from './store.ts';

/** Updates of the app. */
export type UpdateService = {
  /** `ready` if a new version is available and a restart would interrupt nothing. */
  readonly state: Store<'none' | 'ready'>;
  /** Restarts the app in the new version. */
  restart(): void;
};
