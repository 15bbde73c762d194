/** Generates arbitrary request bodies and responses from the contract's schemas. */
import fc from 'fast-check';
import type { z } from 'zod';
import type { JsonSchema } from '../src/http/json-schema.ts';
import { describeSchema } from '../src/http/json-schema.ts';

/** Meaningful values by field name, such as real IDs, URLs and serial numbers. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** Maximum length of generated strings and lists. */
const longest = 60;

/** Strings known to break databases, parsers and file systems. */
const oddTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '%00',
  "'; drop table accounts; --",
  '../../etc/passwd',
  '{{7*7}}',
  '\u202eabc',
  '😀'.repeat(30),
  'NaN',
  '__proto__',
  '1e999',
  '-1',
  '%_\\',
];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: longest }),
  fc.constantFrom(...oddTexts),
);

/** Generates any JSON value, as well as typical client mistakes. */
export const arbitraryJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, 0, -1, 1e308, 2 ** 53, [], {}, [[]], { id: {} }, 'null'),
  text,
);

/** Generates bodies that match a schema. Fields in `known` often get one of their known values. */
export function arbitraryBody(schema: z.ZodType, knownValues: KnownValues): fc.Arbitrary<unknown> {
  return arbitraryValue(describeSchema(schema, 'input'), '', knownValues);
}

/** Like `arbitraryBody`, but with parts replaced by junk, removed or added. */
export function arbitraryInvalidBody(
  schema: z.ZodType,
  knownValues: KnownValues,
): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      arbitraryBody(schema, knownValues),
      fc.array(fc.tuple(fc.nat(), fc.nat(4), arbitraryJson), { maxLength: 3 }),
    )
    .map(([body, mutations]) => {
      let mutated: unknown = structuredClone(body);
      // Insert a copy, because a later mutation may change an inserted value.
      for (const [position, kind, value] of mutations) {
        mutated = mutate(mutated, position, kind, structuredClone(value));
      }
      return mutated;
    });
}

function mutate(body: unknown, position: number, kind: number, value: unknown): unknown {
  if (typeof body !== 'object' || body === null) return kind === 0 ? value : body;
  const entries = Object.entries(body);
  const [key, child] = entries[position % Math.max(1, entries.length)] ?? ['extra', undefined];
  const holder = body as Record<string, unknown>;
  if (kind === 0) holder[key] = value;
  else if (kind === 1) delete holder[key];
  else if (kind === 2) holder[`x${position}`] = value;
  else holder[key] = mutate(child, Math.floor(position / 7), kind - 3, value);
  return body;
}

export function arbitraryValue(
  schema: JsonSchema,
  name: string,
  knownValues: KnownValues,
): fc.Arbitrary<unknown> {
  const generated = arbitraryValid(schema, name, knownValues);
  const values = knownValues[name];
  if (!values || values.length === 0) return generated;
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...values) }, generated);
}

function arbitraryValid(
  schema: JsonSchema,
  name: string,
  knownValues: KnownValues,
): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices)
    return fc.oneof(...choices.map((choice) => arbitraryValue(choice, name, knownValues)));
  if (schema.allOf?.[0]) return arbitraryValue(schema.allOf[0], name, knownValues);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.type)) {
    return fc.oneof(
      ...schema.type.map((type) => arbitraryValid({ ...schema, type }, name, knownValues)),
    );
  }
  switch (schema.type) {
    case 'object':
      return arbitraryObject(schema, knownValues);
    case 'array': {
      const items =
        typeof schema.items === 'object'
          ? arbitraryValue(schema.items, name, knownValues)
          : arbitraryJson;
      const maxLength = Math.min(schema.maxItems ?? 5, 5);
      return fc.array(items, { minLength: Math.min(schema.minItems ?? 0, maxLength), maxLength });
    }
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? -1000, Number.MIN_SAFE_INTEGER),
        max: Math.min(schema.maximum ?? 1000, Number.MAX_SAFE_INTEGER),
      });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return arbitraryString(schema);
    default:
      return arbitraryJson;
  }
}

function arbitraryObject(schema: JsonSchema, knownValues: KnownValues): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties: values } = schema;
  if (!properties) {
    const value =
      typeof values === 'object' ? arbitraryValue(values, '', knownValues) : arbitraryJson;
    return fc.dictionary(text, value, { maxKeys: 4 });
  }
  const fields = Object.entries(properties).map(([key, field]) => [
    key,
    arbitraryValue(field, key, knownValues),
  ]);
  return fc.record(Object.fromEntries(fields), {
    requiredKeys: required as never[],
    noNullPrototype: true,
  });
}

function arbitraryString({
  format,
  pattern,
  minLength = 0,
  maxLength = longest,
}: JsonSchema): fc.Arbitrary<unknown> {
  // fast-check doesn't support lookaheads.
  if (pattern && !format && !pattern.includes('(?')) return fc.stringMatching(new RegExp(pattern));
  switch (format) {
    case 'email':
      return fc.emailAddress();
    case 'uuid':
      return fc.uuid();
    case 'base64':
      return fc.base64String({ maxLength: Math.min(maxLength, longest) });
    case 'date-time':
      return fc
        .date({ min: new Date(-1e14), max: new Date(1e14), noInvalidDate: true })
        .map((date) => date.toISOString());
    default:
      return fc
        .tuple(text, fc.constant('x'.repeat(minLength)))
        .map(([some, filling]) => (some + filling).slice(0, Math.max(minLength, maxLength)));
  }
}
