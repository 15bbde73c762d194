import { expect, it } from 'vitest';
import { nearestTown, type Town } from './towns.ts';

const towns: Town[] = [
  { name: 'Large', latitude: 10, longitude: 20, people: 9_000_000 },
  { name: 'Small', latitude: 10.1, longitude: 20.1, people: 100 },
];

it('names a place after the nearest town within range', () => {
  expect(nearestTown(towns, { latitude: 10.09, longitude: 20.08 })?.name).toBe('Small');
  expect(nearestTown(towns, { latitude: 9.95, longitude: 20 })?.name).toBe('Large');
  expect(nearestTown(towns, { latitude: 12, longitude: 20 })).toBeNull();
});
