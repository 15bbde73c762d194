/** Returns a function that computes the result for each argument once. */
export function memoize<Result>(
  compute: (argument: string) => Result,
): (argument: string) => Result {
  const known = new Map<string, Result>();
  return (argument) => {
    const result = known.get(argument) ?? compute(argument);
    known.set(argument, result);
    return result;
  };
}
