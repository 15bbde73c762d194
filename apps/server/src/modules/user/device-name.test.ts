import { expect, it } from 'vitest';
import { deviceName } from './device-name.ts';

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

it.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36`, 'Chrome · Linux'],
  [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${chrome} Mobile Safari/537.36`, 'Chrome · Android'],
  [`Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) ${chrome} Mobile`, 'Linnet · Android'],
  [`Mozilla/5.0 (Windows NT 10.0) ${chrome} Safari/537.36 Edg/140.0`, 'Edge · Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15.5; rv:140.0) Firefox/140.0', 'Firefox · Mac'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Version/19.0 Mobile Safari/604.1', 'Safari · iPhone'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) AppleWebKit/605 Mobile/15E148', 'Linnet · iPhone'],
  ['curl/8.5.0', 'curl'],
  ['<script>alert(1)</script>', ''],
  ['x'.repeat(500), 'x'.repeat(60)],
  [undefined, ''],
])('names the device of %s "%s"', (header, name) => {
  expect(deviceName(header)).toBe(name);
});
