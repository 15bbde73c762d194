import type { Outcome } from './store.ts';

/** Coordinates in degrees (WGS 84). */
export type Coordinates = { readonly latitude: number; readonly longitude: number };

/**
 * The reason why the position is unknown. `refused`: the user has denied permission. `unavailable`: the phone cannot
 * determine its position.
 */
export type PositionFailure = 'refused' | 'unavailable' | 'timeout';

export type PositionService = {
  /** Returns the current position of the phone. Asks the user for permission if necessary. */
  current(): Promise<Outcome<Coordinates, PositionFailure>>;
};
