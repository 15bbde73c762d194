/** Number of problems that are printed. */
const PRINTED_PROBLEMS = 20;

/** Returns a function that prints a step of a benchmark. */
export function createProgress(benchmark: string): (step: string) => void {
  return (step) => console.error(`${benchmark}: ${step} …`);
}

/** Prints the first problems. */
export function printProblems(problems: readonly string[]): void {
  for (const problem of problems.slice(0, PRINTED_PROBLEMS)) console.error(problem);
}

/** Returns how many times each value occurs. */
export function countBy(values: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
