import { expect, test } from 'vitest';
import { decodeAdvertisement, encodeAdvertisement } from './advertisement.ts';

const info = {
  tranVersion: 2,
  isBind: true,
  version: '1.0.255',
  sn: 'LNR1234567890123',
  projectCode: 'LNR100',
};

test('fits a scan response whole', () => {
  // 31 bytes less length, type and company identifier.
  expect(encodeAdvertisement(info)).toHaveLength(27);
});

test('cut anywhere, it is not taken for a shorter one; bytes behind it are passed over', () => {
  const whole = encodeAdvertisement(info);
  for (let length = 0; length < whole.length; length++) {
    expect(decodeAdvertisement(whole.subarray(0, length))).toBeUndefined();
  }
  expect(decodeAdvertisement(Uint8Array.from([...whole, 1, 2, 3]))).toEqual(info);
});

test('data of somebody else under the same identifier is not ours', () => {
  expect(decodeAdvertisement(new Uint8Array(27).fill(0xa7))).toBeUndefined();
});

test.each(['1.0', '1.0.256', '1.0.0.0', '1.0.x', '1.-1.0'])(
  'the version %s does not fit',
  (version) => {
    expect(() => encodeAdvertisement({ ...info, version })).toThrow('version');
  },
);
