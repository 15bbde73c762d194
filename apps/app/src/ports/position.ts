import type { Outcome } from './store.ts';

/** Coordinates in degrees (WGS 84). */
export type Coordinates = { readonly latitude: number; readonly longitude: number };

/**
 * Why the position is unknown. `refused`: the user has denied permission. `unavailable`: the phone can't determine its
 * position.
 */
export type PositionFailure = 'refused' | 'unavailable' | 'timeout';

export type PositionService = {
  /** Returns the phone's current position, asking the user for permission if necessary. */
  current(): Promise<Outcome<Coordinates, PositionFailure>>;
};
