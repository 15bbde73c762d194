/** Runs the test tiers and summarizes their reports. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { environment, run } from './project.mjs';
import {
  playwrightCounts,
  playwrightFailures,
  playwrightFlaky,
  playwrightTimes,
  REPORTS,
  reportAndExit,
  vitestCounts,
  vitestFailures,
  vitestReporterArgs,
  vitestTimes,
} from './reports.mjs';

/**
 * A test runner with its report.
 * @typedef {object} Tier
 * @property {string} name
 * @property {string} report path of the JSON file written by the runner
 * @property {() => Promise<number>} run
 * @property {(report: any) => import('./reports.mjs').Counts} count
 * @property {(report: any) => string[]} failures
 * @property {(report: any) => import('./reports.mjs').FileTime[]} times
 * @property {(report: any) => string[]} [flaky] tests that passed only on retry
 */

/**
 * Creates a tier of Vitest tests.
 * @param {string} name
 * @param {{env: object, args: readonly string[]}} options
 * @returns {Tier}
 */
export function vitestTier(name, { env, args }) {
  const report = join(REPORTS, 'vitest.json');
  return {
    name,
    report,
    run: () =>
      run('vitest', ['run', ...vitestReporterArgs(report), ...args], { env: environment(env) }),
    count: vitestCounts,
    failures: vitestFailures,
    times: vitestTimes,
  };
}

/**
 * Creates a tier of Playwright tests.
 * @param {string} name
 * @param {{env: object, args: readonly string[]}} options
 * @returns {Tier}
 */
export function playwrightTier(name, { env, args }) {
  const report = join(REPORTS, 'playwright.json');
  return {
    name,
    report,
    run: () =>
      run('playwright', ['test', '-c', 'e2e/playwright.config.ts', ...args], {
        env: environment({ ...env, E2E_REPORT: report }),
      }),
    count: playwrightCounts,
    failures: playwrightFailures,
    times: playwrightTimes,
    flaky: playwrightFlaky,
  };
}

/**
 * Runs tiers sequentially, prints the total counts, and exits.
 * @param {readonly Tier[]} tiers
 */
export async function runTiers(tiers) {
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });

  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  const flaky = [];
  const times = [];
  let exitCodeSum = 0;
  for (const tier of tiers) {
    console.log(`\n── ${tier.name}`);
    const code = await tier.run();
    exitCodeSum += code;
    const report = existsSync(tier.report)
      ? JSON.parse(readFileSync(tier.report, 'utf8'))
      : undefined;
    const counts = report ? tier.count(report) : { passed: 0, failed: 1, skipped: 0 };
    failures.push(...(report ? tier.failures(report) : [`${tier.name}: no report was written`]));
    flaky.push(...(report ? (tier.flaky?.(report) ?? []) : []));
    times.push(...(report ? tier.times(report) : []));
    // A runner can fail even if all tests pass.
    if (code !== 0 && counts.failed === 0) counts.failed = 1;
    for (const kind of Object.keys(total)) total[kind] += counts[kind];
  }
  reportAndExit(total, exitCodeSum === 0, { failures, flaky, times });
}
