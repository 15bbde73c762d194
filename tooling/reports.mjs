/** What the runners of tests write down, and how it is counted. */
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './project.mjs';

/** Where reports lie. */
export const REPORTS = join(root, '.cache', 'reports');

/**
 * @typedef {{passed: number, failed: number, skipped: number}} Counts
 */

/** Arguments with which Vitest shows its tests and also writes a report. */
export function vitestReporting(report) {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
}

/** @returns {Counts} of a report of Vitest */
export function vitestCounts(report) {
  // A file that cannot be loaded has no tests to count, and must not pass for that.
  const empty = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + empty,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** What failed in a report of Vitest: `file › test`, and the first lines of why. */
export function vitestFailures({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    if (status === 'failed' && assertionResults.length === 0)
      return [`${file}\n${beginning(message)}`];
    return assertionResults
      .filter((result) => result.status === 'failed')
      .map(
        ({ fullName, failureMessages }) =>
          `${file} › ${fullName}\n${beginning(failureMessages[0])}`,
      );
  });
}

/**
 * How long one file of tests ran.
 * @typedef {{file: string, seconds: number, budget: number}} FileTime
 */

/** Seconds that a file may take on two quiet cores before it is named. */
const BUDGET = { vitest: 60, playwright: 120 };

/** @returns {FileTime[]} of a report of Vitest */
export function vitestTimes({ testResults }) {
  return testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
    budget: BUDGET.vitest,
  }));
}

/** @returns {FileTime[]} of a report of Playwright: the sum of a file's walks, which run one after the other */
export function playwrightTimes({ suites }) {
  return suites.map((suite) => ({
    file: suite.file,
    seconds: secondsWithin(suite),
    budget: BUDGET.playwright,
  }));
}

function secondsWithin({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration = 0 }) => duration / 1000)),
  );
  return [...own, ...suites.map(secondsWithin)].reduce((sum, seconds) => sum + seconds, 0);
}

/**
 * The slowest files, one line each, and the ones over their budget marked.
 * @param {readonly FileTime[]} times
 * @param {number} count how many are listed; files over their budget always are
 */
export function slowestFiles(times, count = 20) {
  return times
    .toSorted((a, b) => b.seconds - a.seconds)
    .filter(({ seconds, budget }, index) => index < count || seconds > budget)
    .map(({ file, seconds, budget }) => {
      const over = seconds > budget ? `  over its budget of ${budget} s` : '';
      return `${seconds.toFixed(0).padStart(5)} s  ${file}${over}`;
    });
}

/** @returns {Counts} of a report of Playwright */
export function playwrightCounts({ stats, errors }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  };
}

/** What failed in a report of Playwright, in the same form. */
export function playwrightFailures({ suites, errors }) {
  return [
    ...suites.flatMap((suite) => failuresWithin(suite, 'unexpected')),
    ...errors.map(({ message }) => beginning(message)),
  ];
}

/** What failed and passed when it was tried again, in the same form. */
export function playwrightUnsteady({ suites }) {
  return suites.flatMap((suite) => failuresWithin(suite, 'flaky'));
}

/** @param {'unexpected' | 'flaky'} status what Playwright calls what came of all tries */
function failuresWithin({ file, specs = [], suites = [] }, status) {
  return [
    ...specs
      .filter(({ tests }) => tests.some((test) => test.status === status))
      .map(({ title, tests }) => {
        const [error] = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
        return `${file} › ${title}\n${beginning(error?.message)}`;
      }),
    ...suites.flatMap((suite) => failuresWithin(suite, status)),
  ];
}

/** The first lines of a message, indented: enough to know which failure it is. */
function beginning(message) {
  const lines = stripVTControlCharacters(message ?? '').split('\n');
  return lines
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n');
}

/**
 * Ends with the line that counts everything; with CI=true nothing may skip.
 * @param {Counts} total
 * @param {boolean} content whether every runner was content
 * @param {{failures?: string[], unsteady?: string[], times?: FileTime[]}} told repeated at the end of a long output;
 *   `unsteady` lists tests that passed when they were tried again
 * @returns {never}
 */
export function conclude(
  { passed, failed, skipped },
  content,
  { failures = [], unsteady = [], times = [] } = {},
) {
  if (times.length > 0) console.log(`\nSlowest files\n${slowestFiles(times).join('\n')}`);
  for (const each of unsteady) console.log(`\n↻ passed when it was tried again: ${each}`);
  for (const failure of failures) console.log(`\n✗ ${failure}`);
  const forbidden = process.env.CI === 'true' && skipped > 0;
  if (forbidden) console.log(`${skipped} skipped: with CI=true nothing may skip.`);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exit(content && failed === 0 && !forbidden ? 0 : 1);
}
