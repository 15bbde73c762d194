import { type FirmwareDescriptor, firmwareDescriptor } from '@linnet/contract';
import { describe, expect, it } from 'vitest';
import { readDescriptor } from './published-firmware.ts';

const descriptor: FirmwareDescriptor = {
  version: '1.4.0',
  project_code: 'LNR1',
  url: 'https://linnet.example/static/firmware/LNR1/1.4.0.bin',
  size: 100_000,
  crc16: 4711,
  sha256: 'ab'.repeat(32),
  signature: `${'A'.repeat(86)}==`,
  notes: '',
  published_at: '2026-11-22T10:00:00.000Z',
};
const text = (change: object = {}) => JSON.stringify({ ...descriptor, ...change });

describe('published firmware', () => {
  it('is parsed as the contract defines it', () => {
    expect(firmwareDescriptor.parse(JSON.parse(text()))).toEqual(descriptor);
    expect(readDescriptor(text(), 'LNR1')).toEqual(descriptor);
  });

  it.each([
    ['no JSON', '<!doctype html>'],
    ['nothing', 'null'],
    ['a part alone', '{"version":"1.4.0"}'],
    ['another model’s', text({ project_code: 'LNR2' })],
    ['a version that is none', text({ version: '1.4.0-beta' })],
    ['a version that no recorder can tell', text({ version: '100.100.100.1' })],
    ['half a byte', text({ size: 0.5 })],
    ['a signature that is cut', text({ signature: 'AAAA' })],
    ['a signature in other letters', text({ signature: `${'!'.repeat(86)}==` })],
    ['no day', text({ published_at: 'yesterday' })],
  ])('is not %s', (_, wrong) => {
    expect(readDescriptor(wrong, 'LNR1')).toBeNull();
  });
});
