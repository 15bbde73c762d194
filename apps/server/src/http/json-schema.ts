import { z } from 'zod';

/** The subset of JSON Schema that the contract's schemas use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** Converts a schema to JSON Schema, for data either as sent (`input`) or as parsed (`output`). */
export function describeSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  // Without the registry of names, named schemas are inlined instead of referenced.
  const metadata = z.registry<Record<string, never>>();
  return z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata }) as JsonSchema;
}
