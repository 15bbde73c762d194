import { limits } from '@linnet/contract/limits';
import { describe, expect, it } from 'vitest';
import { readRecent, withRecent } from './recent.ts';

describe('recent searches', () => {
  it('put the latest first, without duplicates', () => {
    expect(withRecent(['b', 'a'], ' a ')).toEqual(['a', 'b']);
    expect(withRecent(['b'], '  ')).toEqual(['b']);
    expect(withRecent([...'12345678'], '9')).toEqual([...'91234567']);
  });

  it('always fit into a setting', () => {
    let recent: readonly string[] = [];
    for (let nth = 0; nth < 8; nth += 1) recent = withRecent(recent, `"${nth}`.repeat(200));
    expect(JSON.stringify(recent).length).toBeLessThanOrEqual(limits.setting.valueMaxLength);
    expect(recent.length).toBeGreaterThan(0);
  });

  it('are empty if the stored value is invalid', () => {
    expect(readRecent('{oops')).toEqual([]);
    expect(readRecent('{"a":1}')).toEqual([]);
    expect(readRecent('["a", 1]')).toEqual(['a']);
    expect(readRecent(undefined)).toEqual([]);
  });
});
