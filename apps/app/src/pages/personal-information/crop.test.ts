import { describe, expect, it } from 'vitest';
import { type Crop, initialCrop, MAX_ZOOM, moveCrop, pictureRect, zoomCrop } from './crop.ts';

const widePicture = { width: 400, height: 200 };

/** Returns whether the picture covers the frame, allowing for rounding. */
function covers(crop: Crop): boolean {
  const { x, y, width, height } = pictureRect(widePicture, crop, 100);
  const tolerance = 1e-9;
  return (
    x <= tolerance &&
    y <= tolerance &&
    x + width >= 100 - tolerance &&
    y + height >= 100 - tolerance
  );
}

describe('cropping', () => {
  it('starts centered, with the shorter side filling the frame', () => {
    expect(pictureRect(widePicture, initialCrop, 100)).toEqual({
      x: -50,
      y: 0,
      width: 200,
      height: 100,
    });
  });

  it('moves only up to the edges', () => {
    const movedCrop = moveCrop(widePicture, initialCrop, -0.2, 0.3);
    expect(movedCrop).toEqual({ zoom: 1, x: -0.2, y: 0 });
    expect(moveCrop(widePicture, movedCrop, -9, 0)).toEqual({ zoom: 1, x: -0.5, y: 0 });
  });

  it('zooms around a fixed point', () => {
    const point = { x: 0.2, y: -0.1 };
    const zoomed = zoomCrop(widePicture, initialCrop, 2, point);
    // The picture's point at the zoom center, relative to the displayed size.
    expect((point.x - zoomed.x) / zoomed.zoom).toBeCloseTo(point.x - initialCrop.x);
    expect((point.y - zoomed.y) / zoomed.zoom).toBeCloseTo(point.y - initialCrop.y);
  });

  it('limits zoom in both directions', () => {
    expect(zoomCrop(widePicture, initialCrop, 0.1).zoom).toBe(1);
    expect(zoomCrop(widePicture, initialCrop, 99).zoom).toBe(MAX_ZOOM);
  });

  it('always covers the frame', () => {
    let crop = initialCrop;
    for (let step = 0; step < 200; step += 1) {
      const angle = step * 2.39996;
      crop = moveCrop(widePicture, crop, Math.cos(angle), Math.sin(angle) / 3);
      expect(covers(crop)).toBe(true);
      crop = zoomCrop(widePicture, crop, 1 + (step % 7), { x: Math.sin(angle) / 2, y: 0.5 });
      expect(covers(crop)).toBe(true);
    }
  });
});
