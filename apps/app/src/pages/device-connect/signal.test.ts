import { expect, it } from 'vitest';
import { signalStrength } from './signal.ts';

it.each([
  [-35, 'strong'],
  [-60, 'strong'],
  [-61, 'fair'],
  [-80, 'fair'],
  [-81, 'weak'],
  [-127, 'weak'],
] as const)('describes %d dBm as %s', (rssi, strength) => {
  expect(signalStrength(rssi)).toBe(strength);
});
