/** Reads JSON from recorders, which may be invalid. */

/** Parses a string. @returns undefined if it isn't JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a property of parsed JSON. */
export function property(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined;
}
