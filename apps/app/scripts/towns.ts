/** The build's module with the map's towns. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Minimum population of towns on the map. */
const minPopulation = 5000;

/** Provides the map's towns as a module, reduced from a package with more data than a map shows. */
export function towns(): Plugin {
  const name = 'virtual:towns';
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load(id) {
      if (id !== `\0${name}`) return null;
      const file = new URL(import.meta.resolve('city-timezones/data/cityMap.json'));
      type City = { city: string; lat: number; lng: number; pop: number };
      const cities = JSON.parse(readFileSync(file, 'utf8')) as City[];
      const degrees = (value: number) => Number(value.toFixed(3));
      const rows = cities
        .filter(({ pop }) => pop >= minPopulation)
        .sort((a, b) => b.pop - a.pop)
        .map(({ city, lat, lng, pop }) => [city, degrees(lat), degrees(lng), pop]);
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(rows))})`;
    },
  };
}
