import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { rotateLog } from './log-rotation.ts';

const folder = mkdtempSync(join(tmpdir(), 'linnet-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a log is rotated when it has reached its size, while a process is writing it', () => {
  const file = join(folder, 'api.log');
  const output = openSync(file, 'a', 0o600);
  expect(rotateLog(join(folder, 'missing.log'), 7)).toBe(false);
  writeSync(output, 'first\n');
  expect(rotateLog(file, 7)).toBe(false);
  writeSync(output, 'second\n');
  expect(rotateLog(file, 7)).toBe(true);
  writeSync(output, 'third\n');
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('first\nsecond\n');
  // Without holes where the rotated entries were.
  expect(readFileSync(file, 'utf8')).toBe('third\n');
  closeSync(output);
  appendFileSync(file, 'fourth\n');
  expect(rotateLog(file, 7)).toBe(true);
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('third\nfourth\n');
});
