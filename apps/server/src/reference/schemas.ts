/** Converts the contract's schemas to the schemas of an OpenAPI 3.1 document. */
import { z } from 'zod';

/** A JSON Schema (draft 2020-12), as used by OpenAPI 3.1. */
export type Schema = { [keyword: string]: unknown };

/** Collects the named schemas in a document. */
export interface SchemaCollection {
  /** The named schemas collected so far. */
  readonly components: Readonly<Record<string, Schema>>;
  /**
   * Converts a schema, for data either as sent (`input`) or as returned (`output`). Named schemas become references.
   */
  convert(schema: z.ZodType, io: 'input' | 'output'): Schema;
}

export function createSchemaCollection(): SchemaCollection {
  const components: Record<string, Schema> = {};
  return {
    components,
    convert(schema, io) {
      // Wrap the schema, because a named schema is converted to a reference only if it isn't the root.
      const { $defs = {}, properties } = z.toJSONSchema(z.object({ schema }), {
        io,
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => {
          simplify(jsonSchema as Schema);
          // Zod omits the defaults of schemas that transform their input, such as tolerant ones.
          if (zodSchema instanceof z.ZodDefault) jsonSchema.default ??= zodSchema.def.defaultValue;
        },
      });
      for (const [name, definition] of Object.entries($defs)) {
        const { id: _, ...component } = withReferences(definition) as Schema;
        const existing = components[name];
        if (existing && JSON.stringify(existing) !== JSON.stringify(component)) {
          throw new TypeError(
            `The schema ${name} is sent in a different form from the one that is returned.`,
          );
        }
        components[name] = component;
      }
      return withReferences(properties?.schema) as Schema;
    },
  };
}

/** Formats that Zod also expresses as a pattern, which is less readable. */
const knownFormats = new Set(['date-time', 'email', 'uuid']);

/**
 * Removes details that readers don't need, reduces tolerant unions to the documented alternative, and merges a union of
 * numbers into one list of values.
 */
function simplify(schema: Schema): void {
  // Clients must ignore unknown properties, because a newer server may add some.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (knownFormats.has(String(schema.format))) delete schema.pattern;
  delete schema.contentEncoding;
  if (schema.tolerant) {
    const [documented] = schema.anyOf as Schema[];
    delete schema.tolerant;
    delete schema.anyOf;
    Object.assign(schema, { ...documented, ...schema });
  }
  const choices = schema.anyOf as Schema[] | undefined;
  if (choices?.every((choice) => typeof choice.const === 'number')) {
    delete schema.anyOf;
    Object.assign(schema, { type: 'integer', enum: choices.map((choice) => choice.const) });
  }
}

/** Redirects references from a schema's own definitions to the document's components. */
function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string'
        ? item.replace('#/$defs/', '#/components/schemas/')
        : withReferences(item),
    ]),
  );
}
