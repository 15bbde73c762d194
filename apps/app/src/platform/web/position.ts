import type { PositionFailure, PositionService } from '../../ports/position.ts';

/** Timeout in milliseconds. It is long because determining a position indoors takes a while. */
const TIMEOUT_MS = 20_000;
/** Maximum age of a cached position in milliseconds. */
const MAXIMUM_AGE_MS = 60_000;

/** Maps GeolocationPositionError codes to failures. */
const failures: Readonly<Record<number, PositionFailure>> = {
  1: 'refused',
  2: 'unavailable',
  3: 'timeout',
};

/** The browser's geolocation. */
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
