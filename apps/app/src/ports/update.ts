import type { Store } from './store.ts';

/** Updates of the app. */
export type UpdateService = {
  /** `ready` only while nothing is in progress that a restart would interrupt. */
  readonly state: Store<'none' | 'ready'>;
  /** Restarts the app in the new version. */
  restart(): void;
};
