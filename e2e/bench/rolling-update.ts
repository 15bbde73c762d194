import { setTimeout as delay } from 'node:timers/promises';
import { execute } from '@linnet/server/testing/database';
import { Resources } from './load/resources.ts';
import { Cluster, currentVersion } from './machines/cluster.ts';
import { Crowd } from './machines/crowd.ts';
import type { Phone } from './machines/phone.ts';
import { openPreviousVersion, type PreviousVersion } from './machines/previous-version.ts';
import { createProgress, printProblems } from './machines/report.ts';
import { createTalks, type Talk } from './machines/talks.ts';
import type { Measurement } from './measurement.ts';

/** The version to update from; by default the one before the last migration. */
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
 * Updates two API hosts and two workers, one after the other, from the version before the last migration, while phones
 * upload recordings and stream live text. The first updated process migrates the database, which the previous version
 * uses until the end of the update. The exit code is 1 if a call failed, or anything was lost.
 */
export async function run(): Promise<Measurement[]> {
  const resources = Resources.stoppedOnSignals();
  try {
    const previous = await openPreviousVersion(REVISION, resources);
    progress(`from ${previous.commit}, with ${previous.newMigrations.join(', ')} to apply`);
    const talks = await createTalks(LIVE_PHONES, LIVE_SECONDS);
    const version = previous.folder;
    const { script } = talks;
    const cluster = await Cluster.start({ script, workers: WORKERS, resources, version });
    await cluster.startWorkers(WORKERS);
    const signal = AbortSignal.timeout(LIMIT_MS);
    const counts = { phones: PHONES, livePhones: LIVE_PHONES };
    const crowd = await Crowd.signUp({ cluster, talks, signal, ...counts });
    if ((await countApplied(cluster, previous)) > 0) throw new Error('another version was started');
    progress('phones use the previous version');
    const stop = new AbortController();
    const using = Promise.all([
      ...crowd.phones.map((phone) =>
        crowd.guard(() => uploadAllTheTime(crowd, phone, stop.signal)),
      ),
      ...crowd.livePhones.map((phone, index) =>
        crowd.guard(() => crowd.recordLive(phone, talks.live[index] as Talk)),
      ),
    ]);
    await crowd.guard(() => updateAll(cluster, signal));
    const applied = await countApplied(cluster, previous);
    if (applied < previous.newMigrations.length)
      crowd.problems.push('the database was not migrated');
    stop.abort();
    await using;
    await crowd.compareStored();
    printProblems(crowd.problems);
    const detail = { recordings: crowd.stored.length, from: previous.commit };
    return [
      {
        name: 'rolling update: failed calls',
        value: Object.values(crowd.retries).reduce((sum, count) => sum + count, 0),
        unit: 'calls',
        most: 0,
        detail: { ...detail, reasons: crowd.retries, errors: await cluster.countErrors() },
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

/** Counts the new migrations that were applied to the database. */
async function countApplied(
  { databaseUrl }: Cluster,
  { newMigrations }: PreviousVersion,
): Promise<number> {
  const names = newMigrations.map((file) => file.slice(0, -'.ts'.length));
  const rows = await execute(
    databaseUrl,
    'select name from kysely_migration where name = any($1::text[])',
    [names],
  );
  return rows.length;
}

/** Updates the API hosts, then the workers, one after the other. */
async function updateAll(cluster: Cluster, signal: AbortSignal): Promise<void> {
  await delay(STEP_MS, undefined, { signal });
  for (const host of [...cluster.apis, ...cluster.workers]) {
    progress(`updating ${host.machine.name}`);
    await cluster.update(host, currentVersion);
    await delay(STEP_MS, undefined, { signal });
  }
}

/** Uploads recordings one after the other, each with its transcript, until `stop` aborts. */
async function uploadAllTheTime(crowd: Crowd, phone: Phone, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const stored = await crowd.upload(phone);
    await phone.requestTranscript(stored);
    await crowd.compareTranscript(stored);
  }
}
