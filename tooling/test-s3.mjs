/**
 * `npm run test:s3`: unpacks a real S3 server (Ceph's object gateway) into a private folder, runs it in memory, and
 * runs the tests that need it: the object store's contract suite, the form policies enforced by the S3 server, and the
 * API with its objects in a bucket.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installDependencies, installSystemPackages } from './install.mjs';
import { checkHostNode, environment, root, run } from './project.mjs';
import { REPORTS, reportAndExit, vitestCounts, vitestReporterArgs } from './reports.mjs';

checkHostNode();
await installDependencies();
const { available } = await installSystemPackages('s3');
// `installSystemPackages` has already printed the missing packages.
if (Object.values(available).some(({ location }) => location === 'missing'))
  reportAndExit({ passed: 0, failed: 0, skipped: 1 }, true);
const { radosgw } = available;
const ceph = { root: radosgw.root ?? '/', env: radosgw.env };

const report = join(REPORTS, 's3.json');
rmSync(report, { force: true });
mkdirSync(REPORTS, { recursive: true });
const code = await run(
  'vitest',
  [
    ...['run', '--root', 'apps/server', '--config', 'vitest.s3.config.ts'],
    ...vitestReporterArgs(report),
    ...process.argv.slice(2),
  ],
  { cwd: root, env: environment({ CEPH: JSON.stringify(ceph) }) },
);
const counts = existsSync(report)
  ? vitestCounts(JSON.parse(readFileSync(report, 'utf8')))
  : { passed: 0, failed: 1, skipped: 0 };
reportAndExit(counts, code === 0);
