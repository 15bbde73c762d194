import { limits } from '@linnet/contract/limits';
import { describe, expect, it } from 'vitest';
import { addRecent, parseRecent } from './recent.ts';

describe('recent searches', () => {
  it('are listed latest first, without duplicates', () => {
    expect(addRecent(['b', 'a'], ' a ')).toEqual(['a', 'b']);
    expect(addRecent(['b'], '  ')).toEqual(['b']);
    expect(addRecent([...'12345678'], '9')).toEqual([...'91234567']);
  });

  it('always fit within the size limit of a setting', () => {
    let recent: readonly string[] = [];
    for (let nth = 0; nth < 8; nth += 1) recent = addRecent(recent, `"${nth}`.repeat(200));
    expect(JSON.stringify(recent).length).toBeLessThanOrEqual(limits.setting.valueMaxLength);
    expect(recent.length).toBeGreaterThan(0);
  });

  it('are empty if the stored value is invalid', () => {
    expect(parseRecent('{oops')).toEqual([]);
    expect(parseRecent('{"a":1}')).toEqual([]);
    expect(parseRecent('["a", 1]')).toEqual(['a']);
    expect(parseRecent(undefined)).toEqual([]);
  });
});
