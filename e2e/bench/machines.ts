import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '@linnet/server/testing/random';
import { seedAccounts } from './load/accounts.ts';
import { Resources } from './load/resources.ts';
import { Cluster } from './machines/cluster.ts';
import { causeFaults, type FaultKind } from './machines/faults.ts';
import { Ledger } from './machines/ledger.ts';
import { Phone, type Stored } from './machines/phone.ts';
import { createTalks, type Talk, type Talks } from './machines/talks.ts';
import { type Measurement, roundToThousandths } from './measurement.ts';

/** Number of recordings that are uploaded during the faults. */
const RECORDINGS = Number(process.env.MACHINES_RECORDINGS ?? 200);
/** Determines the kinds of faults and their times. */
const SEED = Number(process.env.MACHINES_SEED ?? Math.floor(Math.random() * 1e6));
/** Number of phones that upload recordings, each with an account of its own. */
const PHONES = 20;
/** Number of further phones, each with one recording with live text. */
const LIVE_PHONES = 4;
/** Time over which the uploads are spread, in seconds. The faults take about as long. */
const UPLOAD_SECONDS = 75;
/** Numbers of workers whose throughput is measured, and number of workers during the faults. */
const WORKERS = { measured: [1, 2, 4], faulty: 3 } as const;
/** Number of recordings of each measurement of throughput. */
const MEASURED_RECORDINGS = Math.min(40, RECORDINGS);
/** Duration after which the benchmark gives up, in milliseconds. */
const LIMIT_MS = 7 * 60_000;
/** Interval of polling for the end of a measurement, in milliseconds. */
const POLL_MS = 500;
/** Number of problems that are printed. */
const PRINTED_PROBLEMS = 20;

/**
 * Runs two API hosts, four worker hosts, a database, an object store, a speech recognition service and a load balancer as
 * network namespaces, and measures the throughput of one, two and four workers. Then three workers and an API host are
 * killed, cut off and switched off at random while phones upload recordings and stream live text. The exit code is 1 if
 * anything was lost, changed, or transcribed or charged other than once.
 */
export async function run(): Promise<Measurement[]> {
  const resources = new Resources();
  // The machines would outlive this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void resources.stop().finally(() => process.exit(1)));
  }
  progress(`seed ${SEED} (MACHINES_SEED=${SEED} repeats the choice of faults)`);
  try {
    const talks = await createTalks(LIVE_PHONES);
    progress('starting the machines');
    const cluster = await Cluster.start(talks.script, Math.max(...WORKERS.measured), resources);
    const { delayMs } = cluster.network;
    progress(
      delayMs > 0
        ? `packets are delayed by ${delayMs} ms in each direction`
        : 'packets are not delayed, because this kernel has no netem',
    );
    return await new Rehearsal(cluster, talks, AbortSignal.timeout(LIMIT_MS)).run();
  } finally {
    progress('stopping the machines');
    await resources.stop();
  }
}

class Rehearsal {
  readonly #cluster: Cluster;
  readonly #talks: Talks;
  readonly #ledger: Ledger;
  readonly #signal: AbortSignal;
  readonly #problems: string[] = [];
  /** Number of failed calls that were repeated, by reason. */
  readonly #retries: Record<string, number> = {};
  /** All recordings that were uploaded. */
  readonly #stored: Stored[] = [];
  #phones: readonly Phone[] = [];
  /** Number of recordings that were created. */
  #recordings = 0;

  /** @param signal ends all waiting */
  constructor(cluster: Cluster, talks: Talks, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#talks = talks;
    this.#ledger = new Ledger(cluster.databaseUrl);
    this.#signal = signal;
  }

  async run(): Promise<Measurement[]> {
    await this.#signUp();
    const measurements: Measurement[] = [];
    for (const workers of WORKERS.measured) measurements.push(await this.#measure(workers));
    await this.#cluster.stopWorkers(WORKERS.faulty);
    const faults = await this.#rehearse();
    progress('comparing what was recorded with what is stored');
    this.#problems.push(...(await this.#ledger.differences(this.#stored)));
    await Promise.all(this.#stored.map((stored) => this.#guard(() => this.#compareAudio(stored))));
    for (const problem of this.#problems.slice(0, PRINTED_PROBLEMS)) console.error(problem);
    return [
      {
        name: 'machines: recordings lost, changed, or transcribed or charged other than once',
        value: this.#problems.length,
        unit: 'problems',
        most: 0,
        detail: {
          ...{ seed: SEED, recordings: this.#stored.length, ...faults },
          ...{ retries: this.#retries, errors: await this.#cluster.countErrors() },
          ...{ delayMs: this.#cluster.network.delayMs, cores: availableParallelism() },
        },
      },
      {
        name: 'machines: moves of live sessions to another worker',
        value: await this.#ledger.liveMoves(),
        unit: 'moves',
        // Without one, no worker was lost while it held a session.
        least: 1,
        detail: { sessions: LIVE_PHONES },
      },
      ...measurements,
    ];
  }

  async #signUp(): Promise<void> {
    const { url, databaseUrl } = this.#cluster;
    const accounts = await seedAccounts(databaseUrl, PHONES + LIVE_PHONES, 0);
    await this.#ledger.open();
    await this.#ledger.grant(accounts.map(({ id }) => id));
    this.#phones = accounts.map(
      (account, number) =>
        new Phone({
          ...{ number, url, account, signal: this.#signal },
          onRetry: (reason) => {
            this.#retries[reason] = (this.#retries[reason] ?? 0) + 1;
          },
        }),
    );
  }

  /** Measures how fast a number of workers transcribes recordings that were uploaded before. */
  async #measure(workers: number): Promise<Measurement> {
    progress(`${MEASURED_RECORDINGS} recordings with ${workers} workers`);
    await this.#cluster.startWorkers(workers);
    const uploads = Array.from({ length: MEASURED_RECORDINGS }, (_, index) =>
      this.#upload(this.#phones[index % PHONES] as Phone),
    );
    const recordings = await Promise.all(uploads);
    await Promise.all(recordings.map((stored) => stored.phone.requestTranscript(stored)));
    // Phones that poll would use the same processor.
    while ((await this.#ledger.countUnfinished(recordings)) > 0) {
      await delay(POLL_MS, undefined, { signal: this.#signal });
    }
    await Promise.all(recordings.map((stored) => this.#compareTranscript(stored)));
    const finished = await this.#ledger.finished(recordings);
    const startedAt = await this.#ledger.firstRequest(recordings);
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
  async #rehearse(): Promise<object> {
    progress(`${RECORDINGS} recordings while machines fail`);
    const faults: FaultKind[] = [];
    const { workers, apis } = this.#cluster;
    const startedAt = performance.now();
    // The other API host stays available, as with a rolling restart.
    const hosts = [...workers, ...apis.slice(1)];
    const onFault = (kind: FaultKind, name: string) => {
      progress(`${Math.round((performance.now() - startedAt) / 1000)} s: ${kind} of ${name}`);
      faults.push(kind);
    };
    const [phones, livePhones] = [this.#phones.slice(0, PHONES), this.#phones.slice(PHONES)];
    const before = this.#stored.length;
    await Promise.all([
      ...hosts.map((host, index) =>
        this.#guard(() => causeFaults(host, new Random(SEED + index), this.#signal, onFault)),
      ),
      ...phones.map((phone, index) => this.#guard(() => this.#recordShort(phone, index))),
      ...livePhones.map((phone, index) =>
        this.#guard(() => this.#recordLive(phone, this.#talks.live[index] as Talk)),
      ),
    ]);
    const recordings = this.#stored.slice(before);
    const finished = await this.#ledger.finished(recordings);
    return {
      faults: countBy(faults),
      seconds: Math.round((performance.now() - startedAt) / 1000),
      byWorker: countBy(finished.map(({ worker }) => worker)),
    };
  }

  /** Uploads a phone's share of the recordings at equal intervals, and compares their transcripts. */
  async #recordShort(phone: Phone, index: number): Promise<void> {
    const count = Math.floor((RECORDINGS + index) / PHONES);
    const intervalMs = (UPLOAD_SECONDS * 1000) / count;
    const startedAt = performance.now() + (index / PHONES) * intervalMs;
    const transcripts: Promise<void>[] = [];
    for (let number = 0; number < count; number += 1) {
      const waitMs = startedAt + number * intervalMs - performance.now();
      await delay(Math.max(0, waitMs), undefined, { signal: this.#signal });
      const stored = await this.#upload(phone);
      await phone.requestTranscript(stored);
      transcripts.push(this.#guard(() => this.#compareTranscript(stored)));
    }
    await Promise.all(transcripts);
  }

  async #recordLive(phone: Phone, talk: Talk): Promise<void> {
    const { stored, liveWords } = await phone.recordLive(talk);
    this.#stored.push(stored);
    const expected = talk.words.slice(0, liveWords.length).join(' ');
    if (liveWords.length === 0 || liveWords.join(' ') !== expected) {
      this.#problems.push(`the live text of ${stored.id} is wrong: ${liveWords.join(' ')}`);
    }
    await this.#compareTranscript(stored);
  }

  async #upload(phone: Phone): Promise<Stored> {
    const { talk, file } = this.#talks.recording(this.#recordings++);
    const stored = await phone.upload(talk, file);
    this.#stored.push(stored);
    return stored;
  }

  async #compareTranscript(stored: Stored): Promise<void> {
    const words = await stored.phone.waitForTranscript(stored);
    if (!words) this.#problems.push(`the transcription of ${stored.id} has failed`);
    else if (words.join(' ') !== stored.talk.words.join(' ')) {
      this.#problems.push(`the transcript of ${stored.id} is wrong: ${words.join(' ')}`);
    }
  }

  async #compareAudio(stored: Stored): Promise<void> {
    const audio = await stored.phone.download(stored);
    const sent = Buffer.from(await stored.file.blob.arrayBuffer());
    if (!audio.equals(sent)) this.#problems.push(`the audio of ${stored.id} was changed`);
  }

  /** Records an error as a problem, so that the others continue. */
  async #guard(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#problems.push(`${error}`);
    }
  }
}

/** Returns how often each value occurs. */
function countBy(values: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function progress(step: string): void {
  console.error(`machines: ${step} …`);
}
