import { expect, it } from 'vitest';
import { isSessionKey } from './layout.ts';
import { commands, decodeResponse } from './messages.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => decodeResponse(encode(text));
const decodeText = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

it('decodes the documented responses', () => {
  expect(read('MCU&SK&OK')).toEqual({ type: 'key', isAccepted: true });
  expect(read('MCU&BAT&58')).toEqual({ type: 'battery', percent: 58 });
  expect(read('MCU&FW&1.3.3')).toEqual({ type: 'firmware', version: '1.3.3' });
  expect(read('MCU&SPA&060846&061032')).toEqual({ type: 'space', used: 60_846, total: 61_032 });
  expect(read('MCU&STE&0')).toEqual({ type: 'state', code: 0 });
  expect(read('MCU&T&OK')).toEqual({ type: 'clock' });
  expect(read('MCU&DIRS&2026-03-26')).toEqual({ type: 'date', date: '2026-03-26' });
  expect(read('MCU&DIRS_SUM&003')).toEqual({ type: 'dates', count: 3 });
  expect(read('MCU&F&2026-03-28&20260328001919&6222')).toEqual({
    type: 'file',
    file: { date: '2026-03-28', time: '20260328001919', extent: 6222 },
  });
  expect(read('MCU&LIST&020')).toEqual({ type: 'files', count: 20 });
  expect(read('MCU&U&167798\r\n')).toEqual({ type: 'size', bytes: 167_798 });
});

it.each([
  'MCU&SK',
  'MCU&BAT&101',
  'MCU&BAT&-1',
  'MCU&SPA&2&1',
  'MCU&DIRS&2026-3-26',
  'MCU&F&2026-03-28&202603280019&6222',
  'MCU&U&WIFI',
  'MCU&U&1e9',
  'MCU&OFF',
  'APP&BAT&58',
  '',
])('ignores %s', (text) => {
  expect(read(text)).toBeNull();
});

it('ignores a response that is too long', () => {
  expect(read(`MCU&SK&${'x'.repeat(121)}`)).toEqual({ type: 'key', isAccepted: false });
  expect(read(`MCU&SK&${'x'.repeat(122)}`)).toBeNull();
});

it('encodes the documented commands', () => {
  const file = { date: '2026-03-26', time: '20260326014509', extent: 41 };
  expect(decodeText(commands.readFile(file))).toBe('APP&U&2026-03-26&20260326014509');
  expect(decodeText(commands.listFiles('2026-03-28'))).toBe('APP&LIST&2026-03-28');
  const local = new Date(2026, 2, 4, 5, 6, 7).getTime();
  expect(decodeText(commands.setClock(local))).toBe('APP&T&20260304050607');
});

it('accepts only session keys that fit in a command', () => {
  expect(isSessionKey('AbCdEfGh12345678')).toBe(true);
  for (const text of [
    'AbCdEfGh1234567',
    'AbCdEfGh123456789',
    'AbCdEfGh1234567&',
    'AbCdEfGh 2345678',
  ]) {
    expect(isSessionKey(text)).toBe(false);
  }
});
