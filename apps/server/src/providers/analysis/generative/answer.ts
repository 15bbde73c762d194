/** Finds the JSON in a language model's answer and coerces it to the requested schema. */
import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Fields = Readonly<Record<string, unknown>>;

/** The parsed answer, or why it couldn't be parsed. */
export type ParsedAnswer<Answer> =
  | { readonly problem: null; readonly value: Answer }
  | { readonly problem: string };

/**
 * Parses an answer, which may contain the JSON anywhere. Missing lists become empty, missing strings become '' or null,
 * and list entries of the wrong type are dropped. Problems don't quote the answer, because they are logged.
 */
export function parseAnswer<Answer>(text: string, schema: z.ZodType<Answer>): ParsedAnswer<Answer> {
  const jsonSchema = toJsonSchema(schema);
  let problem = 'no JSON that matches the schema found';
  for (const json of [withoutReasoning(text), text].flatMap(findObjects)) {
    const object = readObject(json, Object.keys(jsonSchema.properties ?? {}));
    if (object === null) continue;
    const parsed = schema.safeParse(fit(object, jsonSchema));
    if (parsed.success && hasText(parsed.data)) return { problem: null, value: parsed.data };
    problem = 'the JSON has none of the requested texts';
  }
  return { problem };
}

/** Converts a schema to JSON Schema, without the `$schema` version. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema);
  return jsonSchema;
}

/**
 * Matches the reasoning that precedes an answer, up to the last closing tag, because some chat templates omit the
 * opening one. The tags are those used by DeepSeek and Qwen, Mistral (`[/THINK]`) and gpt-oss (`<|channel|>final`).
 */
const REASONING =
  /^.*(?:<\/(?:think|thinking|thought|reasoning)>|\[\/THINK\]|<\|channel\|>final<\|message\|>)/is;

/** Removes the reasoning that precedes an answer. */
export function withoutReasoning(text: string): string {
  return text.replace(REASONING, '').trim();
}

/** Give up after this many opening braces; such text isn't JSON. */
const MAX_STARTS = 50;

/** Returns the substrings that may be JSON objects, most likely first. */
function findObjects(text: string): string[] {
  const complete: string[] = [];
  const incomplete: string[] = [];
  let start = text.indexOf('{');
  for (let starts = 0; start >= 0 && starts < MAX_STARTS; starts += 1) {
    const end = endOfObject(text, start);
    if (end === null) incomplete.push(text.slice(start));
    else complete.push(text.slice(start, end));
    start = text.indexOf('{', end ?? start + 1);
  }
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (first >= 0 && last > first) incomplete.unshift(text.slice(first, last + 1));
  return [...complete.sort((a, b) => b.length - a.length), ...incomplete];
}

/** Returns the index after the object that starts at `start`, or null if it isn't closed. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let isInString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (isInString && character === '\\') index += 1;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && character === '{') depth += 1;
    else if (!isInString && character === '}') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return null;
}

/** Parses an object that has one of the given fields, or that wraps such an object. Returns null for any other JSON. */
function readObject(json: string, names: readonly string[]): Fields | null {
  const value = parseJson(json);
  if (!isObject(value)) return null;
  return (
    [value, ...Object.values(value)]
      .filter(isObject)
      .find((object) => names.some((name) => name in object)) ?? null
  );
}

/** Parses JSON with common errors, such as trailing commas. Returns undefined if it can't be repaired. */
function parseJson(text: string): unknown {
  for (const repair of [(json: string) => json, jsonrepair]) {
    try {
      return JSON.parse(repair(text));
    } catch {
      // Try to repair the text next, or give up if that failed, too.
    }
  }
  return undefined;
}

/** Coerces a value to a schema. Returns undefined if the value has the wrong type and the schema has no default. */
function fit(value: unknown, schema: JsonSchema): unknown {
  const types = [schema.type].flat();
  if (!types.includes('null')) return fitType(value, types[0], schema);
  if (value === null || value === undefined || value === '') return null;
  return (
    fitType(
      value,
      types.find((type) => type !== 'null'),
      schema,
    ) ?? null
  );
}

function fitType(value: unknown, type: JsonSchema['type'], schema: JsonSchema): unknown {
  switch (type) {
    case 'object': {
      const object = [value].flat().find(isObject);
      if (!object) return value === undefined ? fit({}, schema) : undefined;
      const entries = Object.entries(schema.properties ?? {});
      return Object.fromEntries(
        entries.map(([name, property]) => [name, fit(object[name], property as JsonSchema)]),
      );
    }
    case 'array':
      return [value ?? []]
        .flat()
        .map((entry) => fit(entry, schema.items as JsonSchema))
        .filter((entry) => entry !== undefined);
    case 'number':
      return toNumber(value);
    case 'string': {
      // If the model returned a list, use its first entry (for example for an item that cites several sources).
      const [first] = [value].flat();
      if (typeof first === 'number') return String(first);
      return typeof first === 'string' ? first : '';
    }
    default:
      return value;
  }
}

/**
 * Parses a number written as a string. Returns undefined for anything else, including "1.250", which is more than a
 * thousand in some languages and just over one in others.
 */
function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const digits = value.replace(/[\s\p{Sc}]/gu, '');
  if (/^-?\d+\.\d{3}$/.test(digits)) return undefined;
  if (/^-?\d+(\.\d+)?$/.test(digits)) return Number(digits);
  return /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)
    ? Number(digits.replaceAll(',', ''))
    : undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value contains a string that isn't blank. */
function hasText(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'object' && value !== null && Object.values(value).some(hasText);
}
