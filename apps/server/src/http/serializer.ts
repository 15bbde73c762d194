import fastJson from 'fast-json-stringify';
import type { z } from 'zod';
import type { JsonSchema } from './json-schema.ts';
import { describeSchema } from './json-schema.ts';

/**
 * Writes answers with code made from the contract's schemas: what a schema does not name is left out,
 * and what it requires has to be there. Values are not judged a second time here, which halves the cost
 * of long lists; the tests parse every answer with the schema itself.
 */
export function serializerCompiler({ schema }: { schema: z.ZodType }): (answer: unknown) => string {
  return fastJson(shapeOf(describeSchema(schema, 'output')));
}

/** The shape alone: choices between several shapes are written as they are. */
function shapeOf(schema: JsonSchema): object {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const values = choices.filter(({ type }) => type !== 'null');
    const nullable = values.length < choices.length;
    const [only] = values;
    if (values.length === 1 && only) return { ...shapeOf(only), ...(nullable && { nullable }) };
    const numbers = values.every((value) => typeof value.const === 'number');
    return numbers ? { type: 'number', ...(nullable && { nullable }) } : {};
  }
  const { type, properties, required, items, additionalProperties } = schema;
  if (Array.isArray(type)) {
    const anyOf = type.map((one) => ({ ...schema, type: one }));
    return shapeOf({ anyOf });
  }
  return {
    ...(type !== undefined && { type }),
    ...(required && { required }),
    ...(properties && { properties: mapValues(properties, shapeOf) }),
    ...(items && { items: shapeOf(items) }),
    // A record; an object that lists its properties has no others.
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: shapeOf(additionalProperties),
    }),
  };
}

function mapValues<From, To>(
  object: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
