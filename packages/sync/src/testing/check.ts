/** Assertions without a test runner, so that the contract suites run in Node and in a browser page. */

export function check(condition: boolean, label: string): void {
  if (!condition) throw new Error(`expected: ${label}`);
}

/** Compares two values as JSON, including the order of keys. */
export function equal(actual: unknown, expected: unknown, label: string): void {
  const actualJson = JSON.stringify(actual);
  const expectedJson = JSON.stringify(expected);
  if (actualJson !== expectedJson) {
    throw new Error(`${label}: expected ${expectedJson}, got ${actualJson}`);
  }
}
