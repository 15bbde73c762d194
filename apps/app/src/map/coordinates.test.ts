import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  distance,
  formatCoordinates,
  geoUri,
  normalizeCoordinates,
  parseCoordinates,
} from './coordinates.ts';

describe('coordinates', () => {
  it.each([
    ['48.85661, 2.35222', 48.85661, 2.35222],
    ['-33.9 18.4', -33.9, 18.4],
    ['\u221233.9°, +18.4°', -33.9, 18.4],
    [' 90,-180 ', 90, -180],
    ['0;0', 0, 0],
  ])('are parsed from %s', (text, latitude, longitude) => {
    expect(parseCoordinates(text)).toEqual({ latitude, longitude });
  });

  it.each(['', '48.8', '91, 0', '0, 181', 'Paris', '1, 2, 3', '48,85661 2,35222'])(
    'are not parsed from "%s"',
    (text) => {
      expect(parseCoordinates(text)).toBeNull();
    },
  );

  it('parses formatted coordinates to the same values', () => {
    const latitude = fc.double({ min: -90, max: 90, noNaN: true });
    const longitude = fc.double({ min: -180, max: 179.999, noNaN: true });
    fc.assert(
      fc.property(latitude, longitude, (lat, lng) => {
        const rounded = normalizeCoordinates({ latitude: lat, longitude: lng });
        const parsed = parseCoordinates(formatCoordinates(rounded));
        expect(parsed?.latitude).toBeCloseTo(rounded.latitude, 5);
        expect(parsed?.longitude).toBeCloseTo(rounded.longitude, 5);
      }),
    );
  });

  it('wrap around the date line', () => {
    expect(normalizeCoordinates({ latitude: 1, longitude: 190 })).toEqual({
      latitude: 1,
      longitude: -170,
    });
    expect(normalizeCoordinates({ latitude: 1, longitude: -541 })).toEqual({
      latitude: 1,
      longitude: 179,
    });
  });

  it('are formatted as a geo URI', () => {
    const place = { latitude: 48.85661, longitude: 2.35222 };
    expect(geoUri(place, '')).toBe('geo:48.85661,2.35222?q=48.85661,2.35222');
    expect(geoUri(place, 'Café (old)')).toContain('(Caf%C3%A9%20');
  });

  it('have a great-circle distance', () => {
    const paris = { latitude: 48.8566, longitude: 2.3522 };
    const london = { latitude: 51.5074, longitude: -0.1278 };
    expect(distance(paris, london)).toBeCloseTo(343.6, 0);
    const fiji = { latitude: -17, longitude: 179.9 };
    expect(distance(fiji, { latitude: -17, longitude: -179.9 })).toBeLessThan(25);
  });
});
