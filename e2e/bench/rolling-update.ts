import { setTimeout as delay } from 'node:timers/promises';
import { Crowd } from '../crowd/crowd.ts';
import { createTalks } from '../crowd/talks.ts';
import { Resources } from '../processes/resources.ts';
import { rehearseUpdate } from '../updates/rehearsal.ts';
import { openPreviousVersion } from '../updates/versions.ts';
import { Cluster } from './machines/cluster.ts';
import { createProgress, printProblems } from './machines/report.ts';
import type { Measurement } from './measurement.ts';

/** The revision to update from; by default the kept version. */
const REVISION = process.env.UPDATE_FROM;
/** Number of phones that upload recordings all the time, each with its own account. */
const PHONES = 8;
/** Number of additional phones, each with one recording with live text. */
const LIVE_PHONES = 2;
/** Length of the recordings with live text, in seconds: about as long as the update. */
const LIVE_SECONDS = 60;
const WORKERS = 2;
/** Delay between two steps of the update, before the first and after the last, in milliseconds. */
const STEP_MS = 5000;
/** Duration after which all waiting ends, in milliseconds. */
const LIMIT_MS = 7 * 60_000;

const progress = createProgress('rolling update');

/**
 * Updates two API hosts and two workers, each on a machine of its own, from a previous version. The exit code is 1 if a
 * call failed, or anything was lost.
 */
export async function run(): Promise<Measurement[]> {
  const resources = Resources.stoppedOnSignals();
  try {
    const previous = await openPreviousVersion(resources, REVISION);
    progress(`to apply: ${previous.newMigrations.join(', ')}`);
    const talks = await createTalks(LIVE_PHONES, LIVE_SECONDS);
    const { script, live: liveTalks } = talks;
    const version = previous.folder;
    const server = await Cluster.start({ script, workers: WORKERS, resources, version });
    await server.startWorkers(WORKERS);
    const signal = AbortSignal.timeout(LIMIT_MS);
    const counts = { phones: PHONES, livePhones: LIVE_PHONES };
    const crowd = await Crowd.signUp({ server, talks, signal, ...counts });
    const pause = () => delay(STEP_MS, undefined, { signal });
    await rehearseUpdate({ server, previous, crowd, liveTalks, pause, onStep: progress });
    printProblems(crowd.problems);
    const detail = { recordings: crowd.stored.length, migrations: previous.newMigrations };
    return [
      {
        name: 'rolling update: failed calls',
        value: Object.values(crowd.retries).reduce((sum, count) => sum + count, 0),
        unit: 'calls',
        most: 0,
        detail: { ...detail, reasons: crowd.retries, errors: await server.countErrors() },
      },
      {
        name: 'rolling update: recordings lost, changed, or transcribed or charged other than once',
        value: crowd.problems.length,
        unit: 'problems',
        most: 0,
        detail,
      },
    ];
  } finally {
    progress('stopping the machines');
    await resources.stop();
  }
}
