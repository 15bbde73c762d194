import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Resources } from '../processes/resources.ts';
import { seedAccounts } from './load/accounts.ts';
import { Actions } from './load/actions.ts';
import { createAudio } from './load/audio.ts';
import { LoadClient } from './load/client.ts';
import { compareReads } from './load/comparison.ts';
import { LoadServer } from './load/server.ts';
import { UsageMeter } from './load/usage.ts';
import { findLosses } from './load/verify.ts';
import { type Measurement, roundToThousandths } from './measurement.ts';

/** Number of clients, each with its own account. */
const CLIENTS = Number(process.env.LOAD_CLIENTS ?? 500);
/** Duration of the load in seconds, after all clients have started. */
const SECONDS = Number(process.env.LOAD_SECONDS ?? 300);
/** Number of clients that start per second. */
const STARTS_PER_SECOND = 20;
const RAMP_SECONDS = CLIENTS / STARTS_PER_SECOND;
/** Number of problems that are printed. */
const PRINTED_PROBLEMS = 20;

/**
 * Measures two API processes, a worker and a database under the load of many clients, and kills one of the API processes
 * halfway. The exit code is 1 if a user would have noticed a failure, or if anything was lost, changed or stored twice.
 */
export async function run(): Promise<Measurement[]> {
  const resources = Resources.stoppedOnSignals();
  const actions = new Actions();
  const problems: string[] = [];
  const report = (error: unknown) => void problems.push(`${error}`);
  try {
    const audio = await createAudio();
    const server = await LoadServer.start(audio, resources);
    progress('creating accounts');
    const accounts = await seedAccounts(server.databaseUrl, CLIENTS + 1);
    const [observer, ...owners] = accounts;
    if (!observer) throw new Error('no accounts');
    const clients = owners.map(
      (account, number) =>
        new LoadClient({
          ...{ number, account, audio, actions },
          url: server.url,
          rampMs: RAMP_SECONDS * 1000,
          onProblem: (problem) => problems.push(problem),
        }),
    );
    const stop = new AbortController();
    const meter = await resources.start(
      () => UsageMeter.start(server.pids, report),
      (running) => running.stop(),
    );
    const lag = monitorEventLoopDelay();
    lag.enable();
    const startedAt = performance.now();
    progress(`${CLIENTS} clients for ${SECONDS} s`);
    const running = Promise.all(clients.map((client) => client.run(stop.signal).catch(report)));
    const comparing = compareReads(server, observer, stop.signal).catch((error: unknown) => {
      report(error);
      return [];
    });
    const [restartMs] = await Promise.all([
      delay((RAMP_SECONDS + SECONDS / 2) * 1000).then(async () => {
        await meter.sample();
        progress('killing an API process');
        return server.killApi();
      }),
      delay((RAMP_SECONDS + SECONDS) * 1000),
    ]);
    lag.disable();
    stop.abort();
    const comparisons = await comparing;
    const { count } = actions.totals();
    const loadSeconds = (performance.now() - startedAt) / 1000;
    progress('waiting for the last transcripts');
    await running;
    await meter.sample();
    meter.stop();
    const seconds = (performance.now() - startedAt) / 1000;
    progress('comparing what was sent with what is stored');
    for (const client of clients) client.verify();
    problems.push(...(await findLosses(server, clients)), ...(await server.errors()));
    const { failures, retries } = actions.totals();
    for (const problem of problems.slice(0, PRINTED_PROBLEMS)) console.error(problem);
    if (failures + problems.length > 0) process.exitCode = 1;
    return [
      {
        name: 'load: failures that a user would notice',
        value: failures + problems.length,
        unit: 'failures',
        detail: {
          ...{ clients: CLIENTS, seconds: SECONDS, requests: count, retries },
          requestsPerSecond: roundToThousandths(count / loadSeconds),
          restartSeconds: roundToThousandths(restartMs / 1000),
          drainSeconds: roundToThousandths(seconds - loadSeconds),
          uploads: clients.reduce((sum, { uploads }) => sum + uploads.length, 0),
          liveRecordings: clients.reduce((sum, { liveRecordings }) => sum + liveRecordings, 0),
          edits: clients.reduce((sum, { edits }) => sum + edits.length, 0),
          // The clients share one process, whose delays are part of all response times.
          clientLagP99Ms: roundToThousandths(lag.percentile(99) / 1e6),
        },
      },
      ...actions.measurements(),
      ...comparisons,
      ...meter.measurements(seconds),
    ];
  } finally {
    await resources.stop();
  }
}

function progress(step: string): void {
  console.error(`load: ${step} …`);
}
