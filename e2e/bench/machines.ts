import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '@linnet/server/testing/random';
import { Crowd } from '../crowd/crowd.ts';
import type { Phone } from '../crowd/phone.ts';
import { createTalks, type Talk, type Talks } from '../crowd/talks.ts';
import { Resources } from '../processes/resources.ts';
import { Cluster } from './machines/cluster.ts';
import { causeFaults, type FaultKind } from './machines/faults.ts';
import { CABLE_DELAY_MS } from './machines/network.ts';
import { countBy, createProgress, printProblems } from './machines/report.ts';
import { type Measurement, roundToThousandths } from './measurement.ts';

/** Number of recordings that are uploaded during the faults. */
const RECORDINGS = Number(process.env.MACHINES_RECORDINGS ?? 200);
/** Determines the order of the faults and their times. */
const SEED = Number(process.env.MACHINES_SEED ?? Math.floor(Math.random() * 1e6));
/** Number of phones that upload recordings, each with its own account. */
const PHONES = 20;
/** Number of additional phones, each with one recording with live text. */
const LIVE_PHONES = 4;
/** Time over which the uploads are spread, in seconds. The faults take about as long. */
const UPLOAD_SECONDS = 75;
/** Length of the recordings with live text, in seconds: longer than the faults. */
const LIVE_SECONDS = 100;
/** Numbers of workers whose throughput is measured, and number of workers during the faults. */
const WORKERS = { measured: [1, 2, 4], faulty: 3 } as const;
/** Number of recordings of each measurement of throughput. */
const MEASURED_RECORDINGS = Math.min(40, RECORDINGS);
/** Interval of polling for the end of a measurement, in milliseconds. */
const POLL_MS = 500;
/** Duration after which all waiting ends, in milliseconds. The benchmark then takes less than ten minutes. */
const LIMIT_MS = 8 * 60_000;

const progress = createProgress('machines');

/**
 * Runs two API hosts, four worker hosts, a database, an object store, a speech recognition service and a load balancer as
 * network namespaces, and measures the throughput of one, two and four workers. Then three workers and an API host are
 * killed, cut off and switched off at random while phones upload recordings and stream live text. The exit code is 1 if
 * anything was lost, changed, or not transcribed and charged exactly once.
 */
export async function run(): Promise<Measurement[]> {
  const resources = Resources.stoppedOnSignals();
  const signal = AbortSignal.timeout(LIMIT_MS);
  progress(`seed ${SEED} (MACHINES_SEED=${SEED} repeats the faults)`);
  try {
    const talks = await createTalks(LIVE_PHONES, LIVE_SECONDS);
    progress('starting the machines');
    const workers = Math.max(...WORKERS.measured);
    const cluster = await Cluster.start({ script: talks.script, workers, resources });
    const counts = { phones: PHONES, livePhones: LIVE_PHONES };
    const crowd = await Crowd.signUp({ server: cluster, talks, signal, ...counts });
    const measurements: Measurement[] = [];
    for (const count of WORKERS.measured) {
      progress(`${MEASURED_RECORDINGS} recordings with ${count} workers`);
      await cluster.startWorkers(count);
      measurements.push(await measureThroughput(crowd, count, signal));
    }
    await cluster.stopWorkers(WORKERS.faulty);
    progress(`${RECORDINGS} recordings while machines fail`);
    const faults = await failMachines(cluster, crowd, talks, signal);
    progress('comparing what was recorded with what is stored');
    await crowd.compareStored();
    printProblems(crowd.problems);
    return [
      {
        name: 'machines: recordings lost, changed, or transcribed or charged other than once',
        value: crowd.problems.length,
        unit: 'problems',
        most: 0,
        detail: {
          ...{ seed: SEED, recordings: crowd.stored.length, ...faults },
          ...{ retries: crowd.retries, errors: await cluster.countErrors() },
          ...{ cableDelayMs: CABLE_DELAY_MS, cores: availableParallelism() },
        },
      },
      {
        name: 'machines: moves of live sessions to another worker',
        value: await crowd.ledger.countLiveMoves(),
        unit: 'moves',
        // Without one, no worker was lost while it held a session.
        least: 1,
        detail: { sessions: LIVE_PHONES },
      },
      ...measurements,
    ];
  } finally {
    progress('stopping the machines');
    await resources.stop();
  }
}

/** Measures how fast the running workers transcribe recordings that were uploaded before. */
async function measureThroughput(
  crowd: Crowd,
  workers: number,
  signal: AbortSignal,
): Promise<Measurement> {
  const { ledger, phones } = crowd;
  const recordings = await Promise.all(
    Array.from({ length: MEASURED_RECORDINGS }, (_, index) =>
      crowd.upload(phones[index % PHONES] as Phone),
    ),
  );
  await Promise.all(recordings.map((stored) => stored.phone.requestTranscript(stored)));
  // Phones that poll would use the same processor.
  while ((await ledger.countUnfinished(recordings)) > 0) {
    await delay(POLL_MS, undefined, { signal });
  }
  await Promise.all(recordings.map((stored) => crowd.compareTranscript(stored)));
  const finished = await ledger.finished(recordings);
  const startedAt = await ledger.firstRequest(recordings);
  const seconds = ((finished.at(-1)?.at.getTime() ?? Number.NaN) - startedAt.getTime()) / 1000;
  return {
    name: `machines: recordings transcribed per minute, ${workers} workers`,
    value: roundToThousandths((finished.length * 60) / seconds),
    unit: 'recordings/min',
    detail: {
      ...{ recordings: finished.length, seconds, cores: availableParallelism() },
      byWorker: countBy(finished.map(({ worker }) => worker)),
    },
  };
}

/** Uploads recordings and streams live text while machines fail. @returns figures of the faults */
async function failMachines(
  { workers, apis }: Cluster,
  crowd: Crowd,
  talks: Talks,
  signal: AbortSignal,
): Promise<object> {
  const faults: FaultKind[] = [];
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  const onFault = (kind: FaultKind, name: string) => {
    progress(`${seconds()} s: ${kind} of ${name}`);
    faults.push(kind);
  };
  // The other API host stays available, as during a rolling restart.
  const hosts = [...workers, ...apis.slice(1)];
  const storedBefore = crowd.stored.length;
  await Promise.all([
    ...hosts.map((host, index) =>
      crowd.guard(() => causeFaults(host, new Random(SEED + index), signal, onFault)),
    ),
    ...crowd.phones.map((phone, index) =>
      crowd.guard(() => uploadAtIntervals(crowd, phone, index, signal)),
    ),
    ...crowd.livePhones.map((phone, index) =>
      crowd.guard(() => crowd.recordLive(phone, talks.live[index] as Talk)),
    ),
  ]);
  const finished = await crowd.ledger.finished(crowd.stored.slice(storedBefore));
  const byWorker = countBy(finished.map(({ worker }) => worker));
  return { faults: countBy(faults), seconds: seconds(), byWorker };
}

/** Uploads a phone's share of the recordings at equal intervals, and compares their transcripts. */
async function uploadAtIntervals(
  crowd: Crowd,
  phone: Phone,
  index: number,
  signal: AbortSignal,
): Promise<void> {
  const count = Math.floor((RECORDINGS + index) / PHONES);
  const intervalMs = (UPLOAD_SECONDS * 1000) / count;
  const startedAt = performance.now() + (index / PHONES) * intervalMs;
  const transcripts: Promise<void>[] = [];
  for (let number = 0; number < count; number += 1) {
    const waitMs = startedAt + number * intervalMs - performance.now();
    await delay(Math.max(0, waitMs), undefined, { signal });
    const stored = await crowd.upload(phone);
    await phone.requestTranscript(stored);
    transcripts.push(crowd.guard(() => crowd.compareTranscript(stored)));
  }
  await Promise.all(transcripts);
}
