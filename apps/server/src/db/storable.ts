/**
 * Makes plain data storable in PostgreSQL by removing NUL and replacing lone surrogates with U+FFFD. The output of
 * engines and language models may contain both.
 */
export function toStorable<Value>(value: Value): Value {
  return replaceUnstorable(value) as Value;
}

function replaceUnstorable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (Array.isArray(value)) return value.map(replaceUnstorable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceUnstorable(item)]),
  );
}
