/**
 * `npm test`: brings what the tests need, runs every tier, the fast ones first, and ends with one line
 * that counts them all. With CI=true nothing may skip.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { buildApp } from './build.mjs';
import { installDependencies, installSystemPackages } from './install.mjs';
import { checkHostNode, environment, run } from './project.mjs';
import {
  conclude,
  playwrightFailures,
  REPORTS,
  vitestCounts,
  vitestFailures,
  vitestReporting,
} from './reports.mjs';

/** A tier: how it is run, and how its report counts. `report` is written by its runner. */
const tiers = [
  {
    name: 'units, properties, contracts, server',
    report: join(REPORTS, 'vitest.json'),
    run: (report) =>
      run('vitest', ['run', ...vitestReporting(report), ...process.argv.slice(2)], {
        env: environment(tools),
      }),
    count: vitestCounts,
    failures: vitestFailures,
  },
  {
    name: 'end to end in Chromium',
    report: join(REPORTS, 'playwright.json'),
    run: (report) =>
      run('playwright', ['test', '-c', 'e2e/playwright.config.ts', ...process.argv.slice(2)], {
        env: environment({ ...tools, E2E_REPORT: report }),
      }),
    /** @returns {import('./reports.mjs').Counts} */
    count: ({ stats, errors }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + errors.length,
      skipped: stats.skipped,
    }),
    failures: playwrightFailures,
  },
];

/** A message worth reading when something the tests use is missing; with CI=true it is the end. */
function demandPackages({ available }) {
  const missing = Object.entries(available).filter(([, { how }]) => how === 'missing');
  for (const [name, { hint }] of missing) console.log(`Without ${name}: ${hint}`);
  if (missing.length > 0 && process.env.CI === 'true') process.exit(1);
}

/** The environment in which the tests find what was unpacked privately, as they find the system's. */
function withPrivateTools({ available }) {
  const found = Object.values(available).filter(({ how }) => how === 'private');
  const added = Object.assign({}, ...found.map(({ env }) => env));
  const [first] = found;
  const path = first
    ? {
        PATH: `${environment().PATH}${delimiter}${join(first.root, 'usr', 'bin')}`,
        // Where programs look for faces besides the system's.
        XDG_DATA_HOME: join(first.root, 'usr', 'share'),
      }
    : {};
  const { program } = available.chromium;
  return { ...added, ...path, ...(program ? { CHROMIUM: program } : {}) };
}

checkHostNode();
await installDependencies();
const packages = await installSystemPackages('test');
demandPackages(packages);
const tools = withPrivateTools(packages);
await buildApp();
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
let codes = 0;
for (const tier of tiers) {
  console.log(`\n── ${tier.name}`);
  const code = await tier.run(tier.report);
  codes += code;
  const report = existsSync(tier.report)
    ? JSON.parse(readFileSync(tier.report, 'utf8'))
    : undefined;
  const counts = report ? tier.count(report) : { passed: 0, failed: 1, skipped: 0 };
  failures.push(...(report ? tier.failures(report) : [`${tier.name}: no report was written`]));
  // A runner that fails without a failed test has failed all the same.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  for (const kind of Object.keys(total)) total[kind] += counts[kind];
}
conclude(total, codes === 0, failures);
