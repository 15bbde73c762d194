/** Returns a function that computes the result for each argument once. */
export function memoize<Result>(
  compute: (argument: string) => Result,
): (argument: string) => Result {
  const results = new Map<string, Result>();
  return (argument) => {
    const result = results.get(argument) ?? compute(argument);
    results.set(argument, result);
    return result;
  };
}
