/**
 * `npm run test:s3`: brings a real S3 server (Ceph's object gateway, unpacked into a private folder),
 * starts it in memory, and runs against it what `npm test` cannot: the contract of the store, the
 * policies of forms that it has to enforce itself, and the API with its objects in a bucket.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installDependencies, installSystemPackages } from './install.mjs';
import { checkHostNode, environment, root, run } from './project.mjs';
import { conclude, REPORTS, vitestCounts, vitestReporting } from './reports.mjs';

checkHostNode();
await installDependencies();
const { available } = await installSystemPackages('s3');
const parts = Object.values(available);
// Which one is missing was said; all of it is one thing.
if (parts.some(({ how }) => how === 'missing'))
  conclude({ passed: 0, failed: 0, skipped: 1 }, true);
const { radosgw } = available;
const ceph = { root: radosgw.root ?? '/', env: radosgw.env };

const report = join(REPORTS, 's3.json');
rmSync(report, { force: true });
mkdirSync(REPORTS, { recursive: true });
const code = await run(
  'vitest',
  [
    ...['run', '--root', 'apps/server', '--config', 'vitest.s3.config.ts'],
    ...vitestReporting(report),
    ...process.argv.slice(2),
  ],
  { cwd: root, env: environment({ CEPH: JSON.stringify(ceph) }) },
);
const counts = existsSync(report)
  ? vitestCounts(JSON.parse(readFileSync(report, 'utf8')))
  : { passed: 0, failed: 1, skipped: 0 };
conclude(counts, code === 0);
