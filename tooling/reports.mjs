/** What the runners of tests write down, and how it is counted. */
import { join } from 'node:path';
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

/**
 * Ends with the line that counts everything; with CI=true nothing may skip.
 * @param {Counts} total
 * @param {boolean} content whether every runner was content
 * @returns {never}
 */
export function conclude({ passed, failed, skipped }, content) {
  const forbidden = process.env.CI === 'true' && skipped > 0;
  if (forbidden) console.log(`${skipped} skipped: with CI=true nothing may skip.`);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exit(content && failed === 0 && !forbidden ? 0 : 1);
}
