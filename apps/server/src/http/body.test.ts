import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStorable } from './body.ts';

describe('storable bodies', () => {
  it('contain only well-formed text without NUL', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
    const { body } = fc.letrec((tie) => ({
      body: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('body')),
        fc.dictionary(text, tie('body')),
      ),
    }));
    fc.assert(
      fc.property(body, (value) => {
        expect(isStorable(value)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(
        body,
        text,
        fc.constantFrom('\0', '\ud800', '\udfff'),
        (value, key, unstorable) => {
          expect(isStorable([value, { [key]: [unstorable] }])).toBe(false);
          expect(isStorable([{ [`${unstorable} ${key}`]: value }])).toBe(false);
        },
      ),
    );
  });

  it.each(['\0', 'a\0b', '\ud800', 'x\udc00y'])('contain no %j in values or keys', (unstorable) => {
    expect(isStorable({ a: [{ b: unstorable }] })).toBe(false);
    expect(isStorable({ a: [{ [unstorable]: 1 }] })).toBe(false);
  });

  it('may be nested more deeply than the stack allows', () => {
    const deepArray = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    expect(isStorable(deepArray)).toBe(true);
  });
});
