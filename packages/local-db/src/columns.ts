/** Typed readers of SQLite columns. A value of another type indicates a defect in the query or the schema. */
import type { SqlValue } from './database.ts';

/** A column's value; `undefined` if the query returned no such column, or no row. */
type Value = SqlValue | undefined;

/** Reads a column as a type. @throws TypeError for a value of another type */
export type Reader<T> = (value: Value) => T;

export function text(value: Value): string {
  if (typeof value !== 'string') throw unexpected('text', value);
  return value;
}

export function number(value: Value): number {
  if (typeof value !== 'number') throw unexpected('a number', value);
  return value;
}

export function bytes(value: Value): Uint8Array {
  if (!(value instanceof Uint8Array)) throw unexpected('a blob', value);
  return value;
}

/** Reads one of `values`, which a check constraint of the schema guarantees. */
export function oneOf<const T extends string | number>(...values: readonly T[]): Reader<T> {
  return (value) => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw unexpected(values.join(' or '), value);
    return found;
  };
}

/** Reads a column that may be null. */
export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value) => (value === null ? null : read(value));
}

/** Reads JSON text written by this app. Its shape is not checked. */
export function json<T>(value: Value): T {
  return JSON.parse(text(value));
}

export const textOrNull = orNull(text);

/** Reports only the type, because values are private. */
function unexpected(expected: string, value: Value): TypeError {
  const found = value === null ? 'null' : typeof value;
  return new TypeError(`expected ${expected} in a column, found ${found}`);
}
