import type { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Maximum entries of a list, because small models tend to repeat themselves endlessly. */
const MAX_ENTRIES = 20;
/** Minimum of the entry limit, even if the largest possible answer doesn't fit. */
const MIN_ENTRIES = 4;
/** Maximum number of characters of a title, a brief or an entry. */
const MAX_LENGTH = 200;
/** Maximum number of characters of a detail, such as a name or a date. */
const MAX_DETAIL_LENGTH = 60;
/** Fields limited to `MAX_LENGTH`. Other fields are details. */
const sentences: ReadonlySet<string> = new Set(['title', 'brief', 'text']);
/** Fields with a paragraph's ID. */
const citations: ReadonlySet<string> = new Set(['source', 'until']);
/** Average number of characters per token in most languages. */
const TOKEN_LENGTH = 4;

/**
 * Converts a schema for use as the engine's grammar: answers have a maximum length and cite only the given IDs. The
 * grammar forces the model to write every field, so every valid answer has all fields of the schema.
 * @param answerTokens maximum tokens of an answer, from which the maximum length of lists is derived
 */
export function grammarSchema(
  schema: JsonSchema,
  sources: ReadonlySet<string>,
  answerTokens: number,
): object {
  let maxItems = MAX_ENTRIES;
  while (
    maxItems > MIN_ENTRIES &&
    largestLength(schema, '', maxItems) > answerTokens * TOKEN_LENGTH
  ) {
    maxItems -= 1;
  }
  const convert = (part: JsonSchema, name = ''): object => {
    const types = [part.type].flat();
    if (types.length > 1) {
      return { oneOf: types.map((type) => convert({ ...part, type } as JsonSchema, name)) };
    }
    switch (part.type) {
      case 'object': {
        const properties = getProperties(part).map(([property, value]) => [
          property,
          convert(value, property),
        ]);
        return { type: 'object', properties: Object.fromEntries(properties) };
      }
      case 'array':
        return { type: 'array', items: convert(part.items as JsonSchema), maxItems };
      case 'string':
        if (citations.has(name) && sources.size > 0) return { enum: [...sources] };
        return { type: 'string', maxLength: maxLength(name) };
      default:
        return { type: part.type };
    }
  };
  return convert(schema);
}

const getProperties = (part: JsonSchema) =>
  Object.entries(part.properties ?? {}) as [string, JsonSchema][];
const maxLength = (name: string) => (sentences.has(name) ? MAX_LENGTH : MAX_DETAIL_LENGTH);

/** Maximum number of characters of a citation, a number or null. */
const SHORT_LENGTH = 8;

/** Returns the length in characters of the longest JSON that matches a schema. */
function largestLength(part: JsonSchema, name: string, maxItems: number): number {
  switch ([part.type].flat().find((type) => type !== 'null')) {
    case 'object':
      return getProperties(part).reduce(
        (length, [property, value]) =>
          length + property.length + 4 + largestLength(value, property, maxItems),
        2,
      );
    case 'array':
      return maxItems * (1 + largestLength(part.items as JsonSchema, '', maxItems)) + 2;
    case 'string':
      return (citations.has(name) ? SHORT_LENGTH : maxLength(name)) + 2;
    default:
      return SHORT_LENGTH;
  }
}
