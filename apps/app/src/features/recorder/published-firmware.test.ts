import { type FirmwareDescriptor, firmwareDescriptor } from '@linnet/contract';
import { describe, expect, it } from 'vitest';
import { parseDescriptor } from './published-firmware.ts';

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
const toJson = (change: object = {}) => JSON.stringify({ ...descriptor, ...change });

describe('parseDescriptor', () => {
  it('returns a descriptor that conforms to the contract', () => {
    expect(firmwareDescriptor.parse(JSON.parse(toJson()))).toEqual(descriptor);
    expect(parseDescriptor(toJson(), 'LNR1')).toEqual(descriptor);
  });

  it.each([
    ['a page instead of JSON', '<!doctype html>'],
    ['null', 'null'],
    ['missing properties', '{"version":"1.4.0"}'],
    ['a different model', toJson({ project_code: 'LNR2' })],
    ['a malformed version', toJson({ version: '1.4.0-beta' })],
    ['a version longer than the protocol allows', toJson({ version: '100.100.100.1' })],
    ['a fractional size', toJson({ size: 0.5 })],
    ['a truncated signature', toJson({ signature: 'AAAA' })],
    ['a signature that is not base64', toJson({ signature: `${'!'.repeat(86)}==` })],
    ['a malformed date', toJson({ published_at: 'yesterday' })],
  ])('returns null for %s', (_, text) => {
    expect(parseDescriptor(text, 'LNR1')).toBeNull();
  });
});
