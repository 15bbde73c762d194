import type { Store } from './store.ts';

/** A new version of the app. */
export type UpdateService = {
  /** `ready` only while nothing is under way that a restart would interrupt. */
  readonly state: Store<'none' | 'ready'>;
  /** Begins the app anew, in the new version. */
  restart(): void;
};
