/**
 * `npm run test:faults`: runs random scenarios (histories) with a recorder, two phones and a server, with injected
 * faults. Also runs scenarios reported by users of recorders, and scenarios with planted defects (e2e/faults/run.ts).
 * `--seeds` sets the number of scenarios, 200 by default. `--first` plays only scenarios, starting with that
 * seed. `--seed` repeats a single scenario. `--s3` installs an S3 server (Ceph's object gateway) into a private folder and
 * stores objects there instead of in files. `npm test` runs only five scenarios.
 */
import { installDependencies, installSystemPackages } from './install.mjs';
import { checkHostNode, environment, projectNode, run } from './project.mjs';

checkHostNode();
await installDependencies();
const args = process.argv.slice(2);
const env = environment(args.includes('--s3') ? await findS3Server() : {});
process.exit(await run(projectNode, ['e2e/faults/run.ts', ...args], { env }));

/** Installs the S3 server. @returns a variable with its location, as JSON */
async function findS3Server() {
  const { available } = await installSystemPackages('s3');
  // `installSystemPackages` has already printed the missing packages.
  if (Object.values(available).some(({ location }) => location === 'missing')) process.exit(1);
  const { radosgw } = available;
  return { CEPH: JSON.stringify({ root: radosgw.root ?? '/', env: radosgw.env }) };
}
