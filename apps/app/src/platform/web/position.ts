import type { PositionFailure, PositionService } from '../../ports/position.ts';

/** Indoors a phone takes its time; one that found nothing by then will not. */
const limitMs = 20_000;
/** A position that is not older than this is where one still is. */
const maximumAgeMs = 60_000;

/** GeolocationPositionError.code: permission denied, position unavailable, timeout. */
const failures: Readonly<Record<number, PositionFailure>> = {
  1: 'refused',
  2: 'unavailable',
  3: 'timeout',
};

/** The browser's own position. */
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
