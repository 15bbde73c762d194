import { expect, it } from 'vitest';
import { acrossDateLine, type Country, countryNames } from './world.ts';

const square = (west: number, south: number, size: number) => [
  [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ],
];
const country = (id: string, ...parts: ReturnType<typeof square>[]): Country => ({
  type: 'Feature',
  id,
  properties: {},
  geometry: { type: 'MultiPolygon', coordinates: parts },
});

it('localizes country names, centers them in the largest part, and sorts them by area', () => {
  // 250 is France, 056 Belgium (ISO 3166-1); 999 is unassigned.
  const countries = [
    country('056', square(2, 50, 2)),
    country('250', square(-54, 3, 1), square(0, 44, 4)),
    country('999', square(9, 9, 9)),
  ];
  expect(countryNames(countries, 'en')).toEqual([
    { name: 'France', at: [46, 2], area: 16 },
    { name: 'Belgium', at: [51, 3], area: 4 },
  ]);
  expect(countryNames(countries, 'ja').map(({ name }) => name)).toEqual(['フランス', 'ベルギー']);
});

it('joins shapes across the date line and leaves shapes around a pole unchanged', () => {
  const island = [
    [179, -16],
    [-179, -16],
    [-179, -17],
    [179, -17],
    [179, -16],
  ];
  const pole = [
    [-180, -80],
    [0, -70],
    [179, -80],
    [-180, -80],
  ];
  expect(acrossDateLine(country('242', [island])).geometry.coordinates).toEqual([
    [
      [
        [179, -16],
        [181, -16],
        [181, -17],
        [179, -17],
        [179, -16],
      ],
    ],
  ]);
  expect(acrossDateLine(country('010', [pole])).geometry.coordinates).toEqual([[pole]]);
});
