import type { Outcome } from './store.ts';

/** Degrees, WGS 84. */
export type Coordinates = { readonly latitude: number; readonly longitude: number };

/**
 * The reason of an unknown position. `refused`: permission denied. `unavailable`: the phone cannot determine it.
 */
export type PositionFailure = 'refused' | 'unavailable' | 'timeout';

export type PositionService = {
  /** The phone's current position. Asks for permission if necessary. */
  here(): Promise<Outcome<Coordinates, PositionFailure>>;
};
