/** Reads Vitest and Playwright reports, and prints the summary of a test run. */
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './project.mjs';

/** The folder for reports. */
export const REPORTS = join(root, '.cache', 'reports');

/**
 * @typedef {{passed: number, failed: number, skipped: number}} Counts
 */

/** Returns the Vitest arguments for showing tests on the console and writing a report. */
export function vitestReporterArgs(report) {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
}

/** Returns the test counts of a Vitest report. @returns {Counts} */
export function vitestCounts(report) {
  // Count a file that fails to load as one failure, because it has no tests.
  const unloadedFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadedFiles,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Returns the failures in a Vitest report: `file › test` and the first lines of the message. */
export function vitestFailures({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    if (status === 'failed' && assertionResults.length === 0)
      return [`${file}\n${firstLines(message)}`];
    return assertionResults
      .filter((result) => result.status === 'failed')
      .map(
        ({ fullName, failureMessages }) =>
          `${file} › ${fullName}\n${firstLines(failureMessages[0])}`,
      );
  });
}

/**
 * The duration of a test file.
 * @typedef {{file: string, seconds: number, budget: number}} FileTime
 */

/** The time budget of a test file on two idle cores. Files over budget are always listed. */
const BUDGET_SECONDS = { vitest: 60, playwright: 120 };

/** Returns the durations of the files in a Vitest report. @returns {FileTime[]} */
export function vitestTimes({ testResults }) {
  return testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
    budget: BUDGET_SECONDS.vitest,
  }));
}

/** Returns the durations of the files in a Playwright report, whose tests run sequentially. @returns {FileTime[]} */
export function playwrightTimes({ suites }) {
  return suites.map((suite) => ({
    file: suite.file,
    seconds: sumSeconds(suite),
    budget: BUDGET_SECONDS.playwright,
  }));
}

function sumSeconds({ specs = [], suites = [] }) {
  const durations = specs.flatMap(({ tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration = 0 }) => duration / 1000)),
  );
  return [...durations, ...suites.map(sumSeconds)].reduce((sum, seconds) => sum + seconds, 0);
}

/**
 * Lists the slowest files, one per line, and marks files over budget.
 * @param {readonly FileTime[]} times
 * @param {number} count the number of files to list; additional files are listed only if they're over budget
 */
export function listSlowestFiles(times, count = 20) {
  return times
    .toSorted((a, b) => b.seconds - a.seconds)
    .filter(({ seconds, budget }, index) => index < count || seconds > budget)
    .map(({ file, seconds, budget }) => {
      const mark = seconds > budget ? `  over its budget of ${budget} s` : '';
      return `${seconds.toFixed(0).padStart(5)} s  ${file}${mark}`;
    });
}

/** Returns the test counts of a Playwright report. @returns {Counts} */
export function playwrightCounts({ stats, errors }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  };
}

/** Returns the failures in a Playwright report, in the same format as for Vitest. */
export function playwrightFailures({ suites, errors }) {
  return [
    ...suites.flatMap((suite) => collectFailures(suite, 'unexpected')),
    ...errors.map(({ message }) => firstLines(message)),
  ];
}

/** Returns the tests that only passed on retry, in the same format as failures. */
export function playwrightFlaky({ suites }) {
  return suites.flatMap((suite) => collectFailures(suite, 'flaky'));
}

/**
 * Returns the tests with a given status.
 * @param {'unexpected' | 'flaky'} status a test's Playwright status across all retries
 */
function collectFailures({ file, specs = [], suites = [] }, status) {
  return [
    ...specs
      .filter(({ tests }) => tests.some((test) => test.status === status))
      .map(({ title, tests }) => {
        const [error] = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
        return `${file} › ${title}\n${firstLines(error?.message)}`;
      }),
    ...suites.flatMap((suite) => collectFailures(suite, status)),
  ];
}

/** Returns the first lines of a message, indented. They're enough to identify the failure. */
function firstLines(message) {
  const lines = stripVTControlCharacters(message ?? '').split('\n');
  return lines
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n');
}

/**
 * Prints a summary and exits. With CI=true, skipped tests fail the run.
 * @param {Counts} total
 * @param {boolean} succeeded whether every runner exited with code 0
 * @param {{failures?: string[], flaky?: string[], times?: FileTime[]}} details to repeat at the end of long output;
 *   `flaky` lists tests that passed only on retry
 * @returns {never}
 */
export function reportAndExit(
  { passed, failed, skipped },
  succeeded,
  { failures = [], flaky = [], times = [] } = {},
) {
  if (times.length > 0) console.log(`\nSlowest files\n${listSlowestFiles(times).join('\n')}`);
  for (const each of flaky) console.log(`\n↻ passed only when retried: ${each}`);
  for (const failure of failures) console.log(`\n✗ ${failure}`);
  const isSkipForbidden = process.env.CI === 'true' && skipped > 0;
  if (isSkipForbidden) console.log(`${skipped} skipped: CI=true does not allow skipped tests.`);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exit(succeeded && failed === 0 && !isSkipForbidden ? 0 : 1);
}
