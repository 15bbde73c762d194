import { feature } from 'topojson-client';
import worldUrl from 'world-atlas/countries-50m.json?url';

type Shape = GeoJSON.Polygon | GeoJSON.MultiPolygon;
export type Country = GeoJSON.Feature<Shape>;

/** Loads the world's countries (Natural Earth, 1:50 million, public domain), which are bundled with the app. */
export async function loadCountries(): Promise<readonly Country[]> {
  const response = await fetch(worldUrl);
  if (!response.ok) throw new Error(`failed to load the map: HTTP ${response.status}`);
  const world = (await response.json()) as Parameters<typeof feature>[0];
  const countries = world.objects.countries;
  if (!countries) throw new Error('the map file contains no countries');
  const { features } = feature(world, countries) as unknown as GeoJSON.FeatureCollection<Shape>;
  return features.map(acrossDateLine);
}

/**
 * Unwraps the longitudes of a ring that crosses the date line. On a flat map, a ring that leaves at 180° and returns at
 * -180° would otherwise be drawn around the whole earth.
 */
function unwrapRing(ring: GeoJSON.Position[]): GeoJSON.Position[] {
  let turn = 0;
  const flat = ring.map(([longitude = 0, latitude = 0], index) => {
    const step = longitude - (ring[index - 1]?.[0] ?? longitude);
    if (Math.abs(step) > 180) turn -= 360 * Math.sign(step);
    return [longitude + turn, latitude];
  });
  // A ring that never returns surrounds a pole, which lies at the edge of a flat map.
  return turn === 0 ? flat : ring;
}

/** Returns the country with each of its parts in one piece, even beyond 180°. */
export function acrossDateLine(country: Country): Country {
  const { geometry } = country;
  return {
    ...country,
    geometry:
      geometry.type === 'Polygon'
        ? { ...geometry, coordinates: geometry.coordinates.map(unwrapRing) }
        : { ...geometry, coordinates: geometry.coordinates.map((part) => part.map(unwrapRing)) },
  };
}

/** Returns a ring's center, and twice its area in square degrees. */
function computeCentroid(ring: readonly GeoJSON.Position[]): {
  area: number;
  at: [number, number];
} {
  let area = 0;
  let x = 0;
  let y = 0;
  for (let index = 1; index < ring.length; index += 1) {
    const [[ax = 0, ay = 0], [bx = 0, by = 0]] = [ring[index - 1] ?? [], ring[index] ?? []];
    const part = ax * by - bx * ay;
    area += part;
    x += (ax + bx) * part;
    y += (ay + by) * part;
  }
  return area === 0
    ? { area, at: [0, 0] }
    : { area: Math.abs(area), at: [y / (3 * area), x / (3 * area)] };
}

/** A country's name, placed at the center of its largest part. `area` is that part's size in square degrees. */
export type CountryName = {
  readonly name: string;
  readonly at: readonly [latitude: number, longitude: number];
  readonly area: number;
};

/** Returns country names in the given language, largest country first. */
export function countryNames(countries: readonly Country[], language: string): CountryName[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return countries
    .flatMap(({ id, geometry }) => {
      // Natural Earth identifies countries by ISO 3166-1 number, which the browser's locale data maps to letters.
      const region = id === undefined ? undefined : new Intl.Locale(`und-${id}`).region;
      const name = region === undefined ? undefined : names.of(region);
      const rings =
        geometry.type === 'Polygon'
          ? geometry.coordinates.slice(0, 1)
          : geometry.coordinates.flatMap((polygon) => polygon.slice(0, 1));
      const [largest] = rings.map(computeCentroid).sort((a, b) => b.area - a.area);
      // ZZ is the locale data's code for an unassigned number.
      if (name === undefined || name === region || region === 'ZZ' || !largest) return [];
      return [{ name, at: largest.at, area: largest.area / 2 }];
    })
    .sort((a, b) => b.area - a.area);
}
