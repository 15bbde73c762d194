import fastJson from 'fast-json-stringify';
import type { z } from 'zod';
import type { JsonSchema } from './json-schema.ts';
import { describeSchema } from './json-schema.ts';

/**
 * Serializes responses with code generated from the contract's schemas. Unknown properties are dropped, and a missing
 * required property is an error. Values aren't validated again, which halves the cost of long lists. Instead, the tests
 * parse every response with the schema itself.
 */
export function serializerCompiler({
  schema,
}: {
  schema: z.ZodType;
}): (response: unknown) => string {
  return fastJson(toShape(describeSchema(schema, 'output')));
}

/** Reduces a schema to its structure. Unions are serialized without a schema. */
function toShape(schema: JsonSchema): object {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const values = choices.filter(({ type }) => type !== 'null');
    const isNullable = values.length < choices.length;
    const [singleType] = values;
    if (values.length === 1 && singleType)
      return { ...toShape(singleType), ...(isNullable && { nullable: isNullable }) };
    const hasOnlyNumbers = values.every((value) => typeof value.const === 'number');
    return hasOnlyNumbers ? { type: 'number', ...(isNullable && { nullable: isNullable }) } : {};
  }
  const { type, properties, required, items, additionalProperties } = schema;
  if (Array.isArray(type)) {
    const anyOf = type.map((singleTypeName) => ({ ...schema, type: singleTypeName }));
    return toShape({ anyOf });
  }
  return {
    ...(type !== undefined && { type }),
    ...(required && { required }),
    ...(properties && { properties: mapValues(properties, toShape) }),
    ...(items && { items: toShape(items) }),
    // Only records have additional properties.
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: toShape(additionalProperties),
    }),
  };
}

function mapValues<From, To>(
  object: Readonly<Record<string, From>>,
  convert: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value)]));
}
