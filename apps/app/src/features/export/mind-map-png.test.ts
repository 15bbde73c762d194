import { expect, it } from 'vitest';
import { pngScale } from './mind-map-png.ts';

it('a mind map is rendered as PNG at twice its size, within the limits of browsers', () => {
  expect(pngScale(800, 600)).toBe(2);
  expect(pngScale(800, 20_000)).toBeLessThanOrEqual(16_384 / 20_000);
  expect(8000 * 6000 * pngScale(8000, 6000) ** 2).toBeLessThanOrEqual(16_777_217);
});
