import { feature } from 'topojson-client';
import worldUrl from 'world-atlas/countries-50m.json?url';

type Shape = GeoJSON.Polygon | GeoJSON.MultiPolygon;
export type Country = GeoJSON.Feature<Shape>;

/** The countries of the earth (Natural Earth, 1:50 million, public domain), which come with the app. */
export async function loadCountries(): Promise<readonly Country[]> {
  const response = await fetch(worldUrl);
  if (!response.ok) throw new Error(`the map answered ${response.status}`);
  const world = (await response.json()) as Parameters<typeof feature>[0];
  const countries = world.objects.countries;
  if (!countries) throw new Error('the map has no countries');
  const { features } = feature(world, countries) as unknown as GeoJSON.FeatureCollection<Shape>;
  return features.map(acrossDateLine);
}

/** On a flat map a ring that leaves at 180° and comes back at -180° would be drawn around the whole earth. */
function unbroken(ring: GeoJSON.Position[]): GeoJSON.Position[] {
  let turn = 0;
  const flat = ring.map(([longitude = 0, latitude = 0], index) => {
    const step = longitude - (ring[index - 1]?.[0] ?? longitude);
    if (Math.abs(step) > 180) turn -= 360 * Math.sign(step);
    return [longitude + turn, latitude];
  });
  // One that does not come back goes around a pole, where a flat map ends.
  return turn === 0 ? flat : ring;
}

/** The country with each part in one piece, also beyond 180°. */
export function acrossDateLine(country: Country): Country {
  const { geometry } = country;
  return {
    ...country,
    geometry:
      geometry.type === 'Polygon'
        ? { ...geometry, coordinates: geometry.coordinates.map(unbroken) }
        : { ...geometry, coordinates: geometry.coordinates.map((part) => part.map(unbroken)) },
  };
}

/** Twice the area of a ring in square degrees, and the middle of it. */
function middleOf(ring: readonly GeoJSON.Position[]): { area: number; at: [number, number] } {
  let [area, x, y] = [0, 0, 0];
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

/** A country's name stands in the middle of its largest part; `area` in square degrees says how large that is. */
export type CountryName = {
  readonly name: string;
  readonly at: readonly [latitude: number, longitude: number];
  readonly area: number;
};

/** Names of countries in a language, the largest country first. */
export function countryNames(countries: readonly Country[], language: string): CountryName[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return countries
    .flatMap(({ id, geometry }) => {
      // Natural Earth numbers countries by ISO 3166-1, which the language data of browsers maps to letters.
      const region = id === undefined ? undefined : new Intl.Locale(`und-${id}`).region;
      const name = region === undefined ? undefined : names.of(region);
      const rings =
        geometry.type === 'Polygon'
          ? geometry.coordinates.slice(0, 1)
          : geometry.coordinates.flatMap((polygon) => polygon.slice(0, 1));
      const [largest] = rings.map(middleOf).sort((a, b) => b.area - a.area);
      // ZZ is what languages call a number of nobody's.
      if (name === undefined || name === region || region === 'ZZ' || !largest) return [];
      return [{ name, at: largest.at, area: largest.area / 2 }];
    })
    .sort((a, b) => b.area - a.area);
}
