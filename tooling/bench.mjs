/**
 * `npm run bench`: prints one line of JSON per measurement. Speeds are relative to a reference measured in the same
 * run, so they're comparable between machines. A value outside of the limits that the product promises (`most`, `least`)
 * fails the run. `npm run bench -- decode` runs the benchmarks whose names start with `decode`. Benchmarks that take more
 * than a few minutes run only if they are named explicitly. `LOAD_CLIENTS` and `LOAD_SECONDS` set the size of `load`,
 * `MACHINES_RECORDINGS` that of `machines`, `GROWTH_RECORDINGS` that of `growth`. `MACHINES_SEED` repeats its faults, and `UPDATE_FROM` is the version that
 * `rolling-update` starts with.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildApp } from './build.mjs';
import { installDependencies, installSystemPackages } from './install.mjs';
import { checkHostNode, enginesDir, environment, projectNode, root } from './project.mjs';
import { forwardSignals } from './signals.mjs';

const benches = {
  wifi: 'e2e/bench/wifi.ts',
  memory: 'e2e/bench/memory.ts',
  microphone: 'e2e/bench/microphone.ts',
  'microphone-memory': 'e2e/bench/microphone-memory.ts',
  call: 'e2e/bench/call.ts',
  folder: 'e2e/bench/folder-import.ts',
  decode: 'packages/audio/bench/decode.ts',
  noise: 'packages/audio/bench/noise.ts',
  search: 'packages/local-db/bench/search.ts',
  server: 'apps/server/bench/requests.ts',
  flood: 'apps/server/bench/flood.ts',
  speech: 'apps/server/bench/speech.ts',
  'carry-over': 'apps/server/bench/carry-over.ts',
  analysis: 'apps/server/bench/analysis.ts',
  ask: 'apps/server/bench/ask.ts',
  app: 'apps/app/bench/initial-size.ts',
  browser: 'e2e/bench/app.ts',
  'first-sync': 'e2e/bench/first-sync.ts',
  'mind-map': 'e2e/bench/mind-map.ts',
};

const longBenches = {
  radio: 'e2e/bench/radio.ts',
  live: 'apps/server/bench/live.ts',
  'ask-scale': 'apps/server/bench/ask-scale.ts',
  growth: 'apps/server/bench/growth.ts',
  'talk-live': 'e2e/bench/talk-live.ts',
  'talk-hour': 'e2e/bench/talk-hour.ts',
  'long-recording': 'apps/server/bench/long-recording.ts',
  load: 'e2e/bench/load.ts',
  machines: 'e2e/bench/machines.ts',
  'rolling-update': 'e2e/bench/rolling-update.ts',
};

checkHostNode();
await installDependencies();
await installSystemPackages('test');
await buildApp();

const prefixes = process.argv.slice(2);
let failed = false;
const candidates = prefixes.length > 0 ? { ...benches, ...longBenches } : benches;
for (const [name, file] of Object.entries(candidates)) {
  if (prefixes.length > 0 && !prefixes.some((prefix) => name.startsWith(prefix))) continue;
  // Run each benchmark in a separate process, so they don't share a heap.
  const script = `
    const { run } = await import(${JSON.stringify(join(root, file))});
    for (const measurement of await run()) {
      console.log(JSON.stringify(measurement));
      const { name, value, most = Infinity, least = -Infinity } = measurement;
      if (value >= least && value <= most) continue;
      console.error('Outside of its limits: ' + name);
      process.exitCode = 1;
    }
  `;
  const child = spawn(projectNode, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: environment({
      ENGINES_DIR: process.env.ENGINES_DIR ?? enginesDir,
      ...(await findPrograms(name)),
    }),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  forwardSignals(child);
  const [code] = await once(child, 'exit');
  if (code !== 0) failed = true;
}
process.exit(failed ? 1 : 0);

/** Installs the programs that only one benchmark needs. @returns variables with their locations, as JSON */
async function findPrograms(name) {
  const usesMachines = name === 'machines' || name === 'rolling-update';
  if (name !== 'load' && !usesMachines) return {};
  const { haproxy } = (await installSystemPackages('load')).available;
  if (!usesMachines) return { HAPROXY: JSON.stringify(haproxy) };
  await installSystemPackages('network');
  const { radosgw } = (await installSystemPackages('s3')).available;
  const ceph = { root: radosgw.root ?? '/', env: radosgw.env };
  return { HAPROXY: JSON.stringify(haproxy), CEPH: JSON.stringify(ceph) };
}
