import { type CallName, calls, envelope } from '@linnet/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { arbitraryValue } from '../../test/arbitrary.ts';
import { describeSchema } from './json-schema.ts';
import { serializerCompiler } from './serializer.ts';

const names = Object.keys(calls) as CallName[];
const compile = (schema: z.ZodType) => serializerCompiler({ schema });

describe('serialized responses', () => {
  it.each(names)('match the schema of %s', (name) => {
    const schema = envelope(calls[name].data as z.ZodType);
    const serialize = compile(schema);
    const described = describeSchema(schema, 'output');
    fc.assert(
      fc.property(arbitraryValue(described, '', {}), (response) => {
        expect(JSON.parse(serialize(response))).toEqual(JSON.parse(JSON.stringify(response)));
      }),
    );
  });

  it('contain no unknown properties', () => {
    const schema = z.object({ rows: z.array(z.object({ id: z.string() }).nullable()) });
    const response = { rows: [{ id: 'a', password_hash: 'secret' }, null], token: 'secret' };
    expect(compile(schema)(response)).toBe('{"rows":[{"id":"a"},null]}');
  });

  it('contain all required properties', () => {
    expect(() => compile(z.object({ id: z.string() }))({})).toThrow('"id" is required');
  });
});
