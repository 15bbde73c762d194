/** Tiers of tests: how each is run, how its report counts, and the line at the end of them all. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { environment, run } from './project.mjs';
import {
  conclude,
  playwrightCounts,
  playwrightFailures,
  playwrightTimes,
  playwrightUnsteady,
  REPORTS,
  vitestCounts,
  vitestFailures,
  vitestReporting,
  vitestTimes,
} from './reports.mjs';

/**
 * A tier: how it is run, and how its report counts. `report` is written by its runner.
 * @typedef {object} Tier
 * @property {string} name
 * @property {string} report
 * @property {() => Promise<number>} run
 * @property {(report: any) => import('./reports.mjs').Counts} count
 * @property {(report: any) => string[]} failures
 * @property {(report: any) => import('./reports.mjs').FileTime[]} times
 * @property {(report: any) => string[]} [unsteady] what passed when it was tried again
 */

/**
 * What needs no browser that is driven from outside.
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
      run('vitest', ['run', ...vitestReporting(report), ...args], { env: environment(env) }),
    count: vitestCounts,
    failures: vitestFailures,
    times: vitestTimes,
  };
}

/**
 * Walks through the app.
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
    unsteady: playwrightUnsteady,
  };
}

/**
 * Runs tiers one after the other, and ends this process with the line that counts them all.
 * @param {readonly Tier[]} tiers
 */
export async function runTiers(tiers) {
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });

  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  const unsteady = [];
  const times = [];
  let codes = 0;
  for (const tier of tiers) {
    console.log(`\n── ${tier.name}`);
    const code = await tier.run();
    codes += code;
    const report = existsSync(tier.report)
      ? JSON.parse(readFileSync(tier.report, 'utf8'))
      : undefined;
    const counts = report ? tier.count(report) : { passed: 0, failed: 1, skipped: 0 };
    failures.push(...(report ? tier.failures(report) : [`${tier.name}: no report was written`]));
    unsteady.push(...(report ? (tier.unsteady?.(report) ?? []) : []));
    times.push(...(report ? tier.times(report) : []));
    // A runner that fails without a failed test has failed all the same.
    if (code !== 0 && counts.failed === 0) counts.failed = 1;
    for (const kind of Object.keys(total)) total[kind] += counts[kind];
  }
  conclude(total, codes === 0, { failures, unsteady, times });
}
