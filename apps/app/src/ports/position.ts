import type { Outcome } from './store.ts';

/** Degrees, WGS 84. */
export type Coordinates = { readonly latitude: number; readonly longitude: number };

/**
 * Why the phone did not say where it is. `refused`: its owner did not allow it. `unavailable`: it does not
 * know. `timeout`: it did not find out in time.
 */
export type PositionFailure = 'refused' | 'unavailable' | 'timeout';

export type PositionService = {
  /** Where the phone is now. Asks its owner for leave where that was not given yet. */
  here(): Promise<Outcome<Coordinates, PositionFailure>>;
};
