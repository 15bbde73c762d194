/**
 * `npm run test:faults`: plays planted defects, faults that recorder users have reported, and random histories.
 * `--seeds` sets the number of random histories (200 by default). `--first` skips everything else and starts with that
 * seed, so that histories can be split across runs. `--seed` replays a single one. `--s3` stores objects in an S3 server,
 * whose programs the variable CEPH describes, instead of files.
 * When interrupted, prints the findings so far.
 */
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import {
  type CephInstallation,
  type ObjectGateway,
  startObjectGateway,
} from '@linnet/server/testing/s3';
import { mutations } from './mutations.ts';
import { FaultTable } from './report.ts';
import { reportedFaults } from './reported-faults.ts';
import { Stages } from './stages.ts';
import { type Controls, seedTrial, tryHistory, tryMutation } from './trial.ts';

/** A test that plays a history. */
type Item = {
  readonly name: string;
  /** Returns a description of the failure, or null. */
  run(): Promise<string | null>;
};

const SEEDS = 200;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    first: { type: 'string' },
    seed: { type: 'string' },
    s3: { type: 'boolean' },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (typeof value === 'boolean' || /^\d+$/.test(value)) continue;
  console.error(`--${name} must be a whole number, not "${value}"`);
  process.exit(2);
}

const interruption = new AbortController();
const gateway = values.s3 ? startGateway() : null;
const stages = new Stages(interruption.signal, 2, gateway);
const table = new FaultTable();
const trials = { stages, table };
const controls: Controls = new Map();
const failures: string[] = [];
let passed = 0;

const items = listItems();
/** The signal that ended the run early. */
const interrupted: { by: NodeJS.Signals | null } = { by: null };
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (interrupted.by) return;
    interrupted.by = signal;
    console.log(`\nInterrupted after ${passed + failures.length} of ${items.length}.`);
    printResults();
    interruption.abort(new Error(`interrupted by ${signal}`));
  });
}

for (const [index, item] of items.entries()) {
  const startedAt = performance.now();
  const failure = await runItem(item);
  if (interruption.signal.aborted) break;
  if (failure === null) passed += 1;
  else failures.push(`${item.name}\n${failure}`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const mark = failure === null ? '✓' : '✗';
  console.log(`${mark} ${index + 1}/${items.length} ${item.name} (${seconds} s)`);
}
await stages.stop().finally(async () => (await gateway)?.stop());
if (interrupted.by) process.exit(128 + constants.signals[interrupted.by]);
printResults();
process.exit(failures.length === 0 ? 0 : 1);

function startGateway(): Promise<ObjectGateway> {
  const { CEPH } = process.env;
  if (!CEPH) throw new Error('--s3 needs the variable CEPH, which npm run test:faults sets');
  return startObjectGateway(JSON.parse(CEPH) as CephInstallation);
}

function listItems(): Item[] {
  const seedItem = (seed: number): Item => ({
    name: `seed ${seed}`,
    run: () => tryHistory(trials, seedTrial(seed)),
  });
  if (values.seed !== undefined) return [seedItem(Number(values.seed))];
  const count = Number(values.seeds ?? SEEDS);
  const first = Number(values.first ?? 1);
  const histories = Array.from({ length: count }, (_, index) => seedItem(first + index));
  if (values.first !== undefined) return histories;
  return [
    ...mutations.map((mutation) => ({
      name: `a planted defect is found: ${mutation.name}`,
      run: () => tryMutation(trials, mutation, controls),
    })),
    ...reportedFaults.map(({ name, actions }) => ({
      name: `reported by users: ${name}`,
      run: () => tryHistory(trials, { actions, replay: 'npm run test:faults -- --seeds 0' }),
    })),
    ...histories,
  ];
}

/** Runs a test. If it throws, the test fails and the next test gets a new server. */
async function runItem(item: Item): Promise<string | null> {
  try {
    return await item.run();
  } catch (error) {
    if (interruption.signal.aborted) return null;
    await stages.stop();
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function printResults(): void {
  console.log(`\n${table}\n`);
  for (const failure of failures) console.log(`✗ ${failure}\n`);
  console.log(`${passed} passed, ${failures.length} failed`);
}
