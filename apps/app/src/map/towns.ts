import type { Coordinates } from '../ports/position.ts';
import { distance } from './coordinates.ts';

/** A town: its name in Latin letters, where it is, and how many live there. */
export type Town = {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly people: number;
};

/** A place farther from a town than this is not called by it, in kilometres. */
const near = 25;

/** The towns that the map knows, the largest first. */
export async function loadTowns(): Promise<readonly Town[]> {
  const { default: rows } = await import('virtual:towns');
  return rows.map(([name, latitude, longitude, people]) => ({ name, latitude, longitude, people }));
}

/** The town that a place is in or near; null far from all. */
export function nearestTown(towns: readonly Town[], at: Coordinates): Town | null {
  let nearest: { readonly town: Town; readonly away: number } | null = null;
  for (const town of towns) {
    if (Math.abs(town.latitude - at.latitude) > 1) continue;
    const away = distance(town, at);
    if (away <= near && (!nearest || away < nearest.away)) nearest = { town, away };
  }
  return nearest?.town ?? null;
}
