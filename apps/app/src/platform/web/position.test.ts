import { afterEach, expect, it, vi } from 'vitest';
import { webPosition } from './position.ts';

afterEach(() => vi.unstubAllGlobals());

type GetCurrentPosition = Geolocation['getCurrentPosition'];

/** Replaces the browser's geolocation. */
function stubGeolocation(getCurrentPosition: GetCurrentPosition): void {
  vi.stubGlobal('navigator', { geolocation: { getCurrentPosition } });
}

it.each([
  [1, 'refused'],
  [2, 'unavailable'],
  [3, 'timeout'],
  [99, 'unavailable'],
] as const)('reports the error %d as: %s', async (code, failure) => {
  stubGeolocation((_, fail) => fail?.({ code } as GeolocationPositionError));
  expect(await webPosition.current()).toEqual({ ok: false, failure });
});

it('reports a browser without geolocation as unavailable', async () => {
  vi.stubGlobal('navigator', {});
  expect(await webPosition.current()).toEqual({ ok: false, failure: 'unavailable' });
});

it('returns the coordinates', async () => {
  const coords = { latitude: 48.8566, longitude: 2.3522, accuracy: 10 };
  stubGeolocation((succeed) => succeed({ coords } as GeolocationPosition));
  expect(await webPosition.current()).toEqual({
    ok: true,
    data: { latitude: 48.8566, longitude: 2.3522 },
  });
});
