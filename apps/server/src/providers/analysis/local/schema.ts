import type { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Maximum entries of a list, and characters of a text: small models tend to repeat themselves without end. */
const MAX_ENTRIES = 20;
const MAX_LENGTH = 400;
/** Fields with the id of a paragraph. */
const citations: ReadonlySet<string> = new Set(['source', 'until']);

/**
 * Converts a schema to one for the engine's grammar, whose answers are bounded and cite only the given ids. The grammar
 * forces a model to write each field, so that every valid answer has the fields of the schema.
 */
export function grammarSchema(schema: JsonSchema, sources: ReadonlySet<string>): object {
  const convert = (part: JsonSchema, name = ''): object => {
    const types = [part.type].flat();
    if (types.length > 1) {
      return { oneOf: types.map((type) => convert({ ...part, type } as JsonSchema, name)) };
    }
    switch (part.type) {
      case 'object': {
        const properties = Object.entries(part.properties ?? {}).map(([property, value]) => [
          property,
          convert(value as JsonSchema, property),
        ]);
        return { type: 'object', properties: Object.fromEntries(properties) };
      }
      case 'array':
        return {
          type: 'array',
          items: convert(part.items as JsonSchema),
          maxItems: MAX_ENTRIES,
        };
      case 'string':
        if (citations.has(name) && sources.size > 0) return { enum: [...sources] };
        return { type: 'string', maxLength: MAX_LENGTH };
      default:
        return { type: part.type };
    }
  };
  return convert(schema);
}
