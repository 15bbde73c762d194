import { expect, it } from 'vitest';
import { signalWord } from './signal.ts';

it.each([
  [-35, 'strong'],
  [-60, 'strong'],
  [-61, 'fair'],
  [-80, 'fair'],
  [-81, 'weak'],
  [-127, 'weak'],
] as const)('%d dBm is %s', (rssi, word) => {
  expect(signalWord(rssi)).toBe(word);
});
