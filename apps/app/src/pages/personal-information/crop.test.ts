import { describe, expect, it } from 'vitest';
import { type Crop, MOST_ZOOM, moved, placed, wholeCrop, zoomed } from './crop.ts';

const wide = { width: 400, height: 200 };

/** Whether the picture covers the frame, allowing for rounding. */
function covers(crop: Crop): boolean {
  const { x, y, width, height } = placed(wide, crop, 100);
  const slack = 1e-9;
  return x <= slack && y <= slack && x + width >= 100 - slack && y + height >= 100 - slack;
}

describe('cropping', () => {
  it('starts centered, with the shorter side filling the frame', () => {
    expect(placed(wide, wholeCrop, 100)).toEqual({ x: -50, y: 0, width: 200, height: 100 });
  });

  it('moves only up to the edges', () => {
    const left = moved(wide, wholeCrop, -0.2, 0.3);
    expect(left).toEqual({ zoom: 1, x: -0.2, y: 0 });
    expect(moved(wide, left, -9, 0)).toEqual({ zoom: 1, x: -0.5, y: 0 });
  });

  it('zooms around a fixed point', () => {
    const at = { x: 0.2, y: -0.1 };
    const near = zoomed(wide, wholeCrop, 2, at);
    // The point of the picture that was at the zoom center, relative to the displayed size.
    expect((at.x - near.x) / near.zoom).toBeCloseTo(at.x - wholeCrop.x);
    expect((at.y - near.y) / near.zoom).toBeCloseTo(at.y - wholeCrop.y);
  });

  it('limits zoom in both directions', () => {
    expect(zoomed(wide, wholeCrop, 0.1).zoom).toBe(1);
    expect(zoomed(wide, wholeCrop, 99).zoom).toBe(MOST_ZOOM);
  });

  it('always covers the frame', () => {
    let crop = wholeCrop;
    for (let step = 0; step < 200; step += 1) {
      const turn = step * 2.39996;
      crop = moved(wide, crop, Math.cos(turn), Math.sin(turn) / 3);
      expect(covers(crop)).toBe(true);
      crop = zoomed(wide, crop, 1 + (step % 7), { x: Math.sin(turn) / 2, y: 0.5 });
      expect(covers(crop)).toBe(true);
    }
  });
});
