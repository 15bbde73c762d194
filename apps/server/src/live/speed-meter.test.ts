import { describe, expect, it } from 'vitest';
import { SpeedMeter } from './speed-meter.ts';

describe('SpeedMeter', () => {
  it('ignores the first slice, which includes loading the model', () => {
    const meter = new SpeedMeter();
    expect(meter.isTooSlow).toBe(false);
    meter.add(20, 2);
    expect(meter.isTooSlow).toBe(false);
    meter.add(2, 2);
    expect(meter.isTooSlow).toBe(true);
  });

  it('tolerates one slow slice of a fast engine', () => {
    const meter = new SpeedMeter();
    for (let slice = 0; slice < 5; slice += 1) meter.add(1, 10);
    meter.add(2, 2);
    expect(meter.isTooSlow).toBe(false);
  });

  it('notices within a minute of audio that an engine has become slow, or fast again', () => {
    const meter = new SpeedMeter();
    for (let slice = 0; slice < 10; slice += 1) meter.add(1, 10);
    for (let slice = 0; slice < 6; slice += 1) meter.add(8, 10);
    expect(meter.isTooSlow).toBe(true);
    for (let slice = 0; slice < 6; slice += 1) meter.add(1, 10);
    expect(meter.isTooSlow).toBe(false);
  });
});
