import type { PositionFailure, PositionService } from '../../ports/position.ts';

/** Time limit in milliseconds, long enough for a position indoors. */
const limitMs = 20_000;
/** Maximum age in milliseconds of a cached position. */
const maximumAgeMs = 60_000;

/** GeolocationPositionError.code: permission denied, position unavailable, timeout. */
const failures: Readonly<Record<number, PositionFailure>> = {
  1: 'refused',
  2: 'unavailable',
  3: 'timeout',
};

/** The browser's geolocation. */
export const webPosition: PositionService = {
  here: () =>
    new Promise((resolve) => {
      if (!('geolocation' in navigator)) {
        resolve({ ok: false, failure: 'unavailable' });
        return;
      }
      navigator.geolocation.getCurrentPosition(
        ({ coords: { latitude, longitude } }) =>
          resolve({ ok: true, data: { latitude, longitude } }),
        ({ code }) => resolve({ ok: false, failure: failures[code] ?? 'unavailable' }),
        { enableHighAccuracy: true, timeout: limitMs, maximumAge: maximumAgeMs },
      );
    }),
};
