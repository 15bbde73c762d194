/** Assertions that need no test runner, so that the suites run both in Node and in a page. */
export function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`expected: ${what}`);
}

/** Compares two values as JSON, including the order of keys. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}
