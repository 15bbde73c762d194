import { describe, expect, it } from 'vitest';
import { catalog, codeName, codes } from './codes.ts';

describe('codes', () => {
  it('are distinct, and each has a cause and a reaction', () => {
    const entries = Object.values(catalog);
    expect(new Set(entries.map(({ code }) => code)).size).toBe(entries.length);
    for (const { cause, app } of entries) {
      expect(cause).toMatch(/\.$/);
      expect(app).toMatch(/\.$/);
    }
  });

  it("include the specification's codes", () => {
    expect(codes).toMatchObject({
      ok: 0,
      wrongCode: 40003,
      wrongCredentials: 41001,
      wrongOldPassword: 41003,
      deviceNotRegistered: 3100001,
      deviceBoundElsewhere: 4200008,
      tokenInvalid: 4200002,
    });
  });

  it('can be looked up by number', () => {
    expect(codeName(40003)).toBe('wrongCode');
    expect(codeName(1)).toBeUndefined();
  });
});
