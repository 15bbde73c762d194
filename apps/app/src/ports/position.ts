import type { Outcome } from './store.ts';

/** Degrees, WGS 84. */
export type Coordinates = { readonly latitude: number; readonly longitude: number };

/**
 * Why the position is unknown. `refused`: not permitted. `unavailable`: the phone cannot determine it.
 * `timeout`: not determined in time.
 */
export type PositionFailure = 'refused' | 'unavailable' | 'timeout';

export type PositionService = {
  /** The phone's current position. Asks for permission if necessary. */
  here(): Promise<Outcome<Coordinates, PositionFailure>>;
};
