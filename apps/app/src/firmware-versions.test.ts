import { expect, it } from 'vitest';
import { isOlderVersion } from './firmware-versions.ts';

it.each([
  ['1.2.0', '1.10.0', true],
  ['1.10.0', '1.2.0', false],
  ['1.2', '1.2.0', false],
  ['1.2', '1.2.1', true],
  ['2.0.0', '2.0.0', false],
])('isOlderVersion(%j, %j) returns %s', (version, other, expected) => {
  expect(isOlderVersion(version, other)).toBe(expected);
});
