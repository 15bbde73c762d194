/** Checks that need no runner of tests, so that suites run in Node and in a page alike. */
export function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`does not hold: ${what}`);
}

/** Compares as JSON: keys in their order. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}
