import { expect, it } from 'vitest';
import { firmwarePath } from './routes.ts';

it('encodes the recorder model as a single segment of the firmware path', () => {
  expect(firmwarePath('LNR1')).toBe('/static/firmware/LNR1/latest.json');
  for (const model of ['../..', 'A<b>&/.8', 'x?y#z', '', '%2e']) {
    const { pathname, search, hash } = new URL(firmwarePath(model), 'https://example.org');
    expect([model, search, hash]).toEqual([model, '', '']);
    expect(pathname.split('/').map(decodeURIComponent), model).toEqual([
      '',
      'static',
      'firmware',
      model,
      'latest.json',
    ]);
  }
});
