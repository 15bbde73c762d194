import type { Coordinates } from '../ports/position.ts';
import { distance } from './coordinates.ts';

/** A town: its name in Latin letters, its location and its population. */
export type Town = {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly people: number;
};

/** Maximum distance in kilometers from a town for a place to be named after it. */
const maxDistance = 25;

/** Loads the map's towns, largest first. */
export async function loadTowns(): Promise<readonly Town[]> {
  const { default: rows } = await import('virtual:towns');
  return rows.map(([name, latitude, longitude, people]) => ({ name, latitude, longitude, people }));
}

/** Returns the town at or near a place, or null if no town is close enough. */
export function nearestTown(towns: readonly Town[], at: Coordinates): Town | null {
  let nearest: { readonly town: Town; readonly meters: number } | null = null;
  for (const town of towns) {
    if (Math.abs(town.latitude - at.latitude) > 1) continue;
    const meters = distance(town, at);
    if (meters <= maxDistance && (!nearest || meters < nearest.meters)) nearest = { town, meters };
  }
  return nearest?.town ?? null;
}
