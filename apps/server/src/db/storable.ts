/**
 * The same plain data as PostgreSQL can store it: without NUL, and with the mark for what is not known
 * (U+FFFD) in place of halves of surrogate pairs. What engines and models answer may hold both.
 */
export function storable<Value>(value: Value): Value {
  return clean(value) as Value;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]));
}
