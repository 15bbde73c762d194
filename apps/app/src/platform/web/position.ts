import type { PositionFailure, PositionService } from '../../ports/position.ts';

/** Time limit in milliseconds. It is long because it takes a while to determine a position indoors. */
const TIMEOUT_MS = 20_000;
/** The maximum age in milliseconds of a cached position. */
const MAXIMUM_AGE_MS = 60_000;

/** Maps the codes of GeolocationPositionError to failures. */
const failures: Readonly<Record<number, PositionFailure>> = {
  1: 'refused',
  2: 'unavailable',
  3: 'timeout',
};

/** The geolocation of the browser. */
export const webPosition: PositionService = {
  current: () =>
    new Promise((resolve) => {
      if (!('geolocation' in navigator)) {
        resolve({ ok: false, failure: 'unavailable' });
        return;
      }
      navigator.geolocation.getCurrentPosition(
        ({ coords: { latitude, longitude } }) =>
          resolve({ ok: true, data: { latitude, longitude } }),
        ({ code }) => resolve({ ok: false, failure: failures[code] ?? 'unavailable' }),
        { enableHighAccuracy: true, timeout: TIMEOUT_MS, maximumAge: MAXIMUM_AGE_MS },
      );
    }),
};
