/**
 * Typed readers for SQLite columns. They throw if a value has an unexpected type, which indicates a bug in the query or
 * the schema.
 */
import type { SqlValue } from './database.ts';

/** A column's value, or `undefined` if the query returned no such column or no row. */
type Value = SqlValue | undefined;

/** Reads a column as a given type. @throws TypeError if the value has a different type */
export type Reader<T> = (value: Value) => T;

export function text(value: Value): string {
  if (typeof value !== 'string') throw createTypeError('text', value);
  return value;
}

export function number(value: Value): number {
  if (typeof value !== 'number') throw createTypeError('a number', value);
  return value;
}

export function bytes(value: Value): Uint8Array {
  if (!(value instanceof Uint8Array)) throw createTypeError('a blob', value);
  return value;
}

/** Creates a reader for a column that a check constraint limits to `values`. */
export function oneOf<const T extends string | number>(...values: readonly T[]): Reader<T> {
  return (value) => {
    const match = values.find((each) => each === value);
    if (match === undefined) throw createTypeError(values.join(' or '), value);
    return match;
  };
}

/** Creates a reader for a column that may be null. */
export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value) => (value === null ? null : read(value));
}

/** Parses JSON. The shape isn't checked, because only this app writes it. */
export function json<T>(value: Value): T {
  return JSON.parse(text(value));
}

export const textOrNull = orNull(text);

/** Creates the error for an unexpected value. Contains only the type, because values are private. */
function createTypeError(expected: string, value: Value): TypeError {
  const actualType = value === null ? 'null' : typeof value;
  return new TypeError(`expected ${expected} in a column, found ${actualType}`);
}
