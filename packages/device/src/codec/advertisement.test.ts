import { expect, test } from 'vitest';
import { decodeAdvertisement, encodeAdvertisement } from './advertisement.ts';

const info = {
  tranVersion: 2,
  isBind: true,
  version: '1.0.255',
  sn: 'LNR1234567890123',
  projectCode: 'LNR100',
};

test('fits in a scan response', () => {
  // A scan response has room for 31 bytes, including the length, the type and the company identifier.
  expect(encodeAdvertisement(info)).toHaveLength(27);
});

test('rejects truncated data and ignores trailing bytes', () => {
  const encoded = encodeAdvertisement(info);
  for (let length = 0; length < encoded.length; length++) {
    expect(decodeAdvertisement(encoded.subarray(0, length))).toBeUndefined();
  }
  expect(decodeAdvertisement(Uint8Array.from([...encoded, 1, 2, 3]))).toEqual(info);
});

test('ignores another product’s data with the same company identifier', () => {
  expect(decodeAdvertisement(new Uint8Array(27).fill(0xa7))).toBeUndefined();
});

test.each(['1.0', '1.0.256', '1.0.0.0', '1.0.x', '1.-1.0'])('rejects version %s', (version) => {
  expect(() => encodeAdvertisement({ ...info, version })).toThrow('version');
});
