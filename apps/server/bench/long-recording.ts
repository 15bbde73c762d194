import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { waveHeader } from '@linnet/audio/wave';
import { limits } from '@linnet/contract/limits';
import { taskStatus } from '@linnet/contract/statuses';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { readConfig } from '../src/config/index.ts';
import type { Database } from '../src/db/database.ts';
import { migrate, openDatabase } from '../src/db/database.ts';
import { startPostgres } from '../src/embedded/postgres.ts';
import { openQueue } from '../src/jobs/queue.ts';
import { SPEECH_SAMPLE_RATE } from '../src/providers/speech/port.ts';
import { readScene, sceneNames } from '../src/providers/speech/scene-audio.ts';
import { selectStore } from '../src/providers/storage/index.ts';
import type { Measurement } from './speech.ts';

/** Seconds of silence between scenes, used in turn. */
const pauses = [1, 3, 2, 6, 1, 90];
/** Polling interval for the task, in milliseconds. */
const pollMs = 100;

/**
 * Transcribes a recording of BENCH_HOURS hours (4 by default) with the real worker and PostgreSQL. Measures memory, the
 * longest time without progress, and the total time.
 */
export async function run(): Promise<Measurement[]> {
  const hours = Number(process.env.BENCH_HOURS ?? 4);
  if (!(hours > 0)) throw new RangeError('BENCH_HOURS must be a positive number');
  const dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-bench-'));
  const postgres = await startPostgres({ dataDir, log: () => undefined });
  const environment = { DATABASE_URL: postgres.url, DATA_DIR: dataDir, BILLING: 'off' };
  const { db } = openDatabase(postgres.url, (error) => console.error(error));
  let worker: ChildProcess | undefined;
  try {
    await migrate(db);
    const taskId = await seed(db, { ...environment, ASR: 'pocketsphinx' }, hours);
    worker = fork(fileURLToPath(new URL('../src/worker.ts', import.meta.url)), {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        PATH: process.env.PATH,
        ...(process.env.ENGINES_DIR && { ENGINES_DIR: process.env.ENGINES_DIR }),
        ...environment,
        ASR: 'pocketsphinx',
        MODELS: 'off',
      },
    });
    const progressSummary = await pollTask(db, taskId);
    const seconds = hours * 3600;
    const detail = { hours, ...progressSummary.detail };
    return [
      {
        name: 'long recording: peak memory of the worker',
        value: await peakMegabytes(worker),
        unit: 'MB',
        detail,
      },
      {
        name: 'long recording: longest time without progress',
        value: round(progressSummary.longestSeconds),
        unit: 's',
        detail: { hours, step: progressSummary.longestStep },
      },
      {
        name: 'long recording: wall time ÷ length',
        value: round(progressSummary.wallSeconds / seconds),
        unit: 'ratio',
        detail,
      },
    ];
  } finally {
    if (worker && worker.exitCode === null) {
      const exitPromise = once(worker, 'exit');
      worker.kill('SIGTERM');
      await exitPromise;
    }
    await db.destroy();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Creates an account with one recording and a queued task. */
async function seed(
  db: Database,
  environment: Record<string, string>,
  hours: number,
): Promise<string> {
  const config = readConfig(environment);
  const [account, recording, task] = [uuidv7(), uuidv7(), uuidv7()];
  const key = `voice/${account}/${recording}.wav`;
  const store = await selectStore(config);
  const { size } = await store.put(key, longWave(hours), { maxBytes: limits.upload.voiceBytes });
  const now = new Date();
  const queue = await openQueue(environment.DATABASE_URL ?? '', 'api', pino({ level: 'silent' }));
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('accounts')
      .values({
        id: account,
        email: 'bench@example.org',
        password_hash: '',
        agreement_version: '1',
        agreement_accepted_at: now,
      })
      .execute();
    await trx
      .insertInto('recordings')
      .values({
        id: recording,
        account_id: account,
        client_flag: recording,
        name: 'A long day',
        object_key: key,
        file_size: size,
        ext: 'wav',
        total_time: hours * 3600,
        rev: 1,
        recorded_at: now,
      })
      .execute();
    await trx
      .insertInto('tasks')
      .values({ id: task, recording_id: recording, account_id: account, language: 'en', rev: 1 })
      .execute();
    await queue.enqueue(trx, 'transcribe', { taskId: task });
  });
  await queue.stop();
  return task;
}

/** Yields a WAV file of spoken scenes separated by pauses and long silences. */
async function* longWave(hours: number): AsyncGenerator<Uint8Array> {
  const scenes = await Promise.all((await sceneNames()).map(readScene));
  let remainingSamples = Math.round(hours * 3600 * SPEECH_SAMPLE_RATE);
  yield waveHeader(remainingSamples, SPEECH_SAMPLE_RATE);
  for (let sceneIndex = 0; remainingSamples > 0; sceneIndex += 1) {
    const { samples } = scenes[sceneIndex % scenes.length] ?? { samples: new Int16Array() };
    const silence = new Int16Array((pauses[sceneIndex % pauses.length] ?? 0) * SPEECH_SAMPLE_RATE);
    for (const part of [samples, silence]) {
      const portion = part.slice(0, remainingSamples);
      remainingSamples -= portion.length;
      yield new Uint8Array(portion.buffer);
    }
  }
}

/** Polls a task until it ends. */
async function pollTask(db: Database, taskId: string) {
  const longest = { seconds: 0, step: 'queued' };
  let startedAt: number | undefined;
  let progressedAt = 0;
  let lastState = '';
  for (;;) {
    const { status, step, step_done, progress, error_code, paragraphs } = await db
      .selectFrom('tasks')
      .select(['status', 'step', 'step_done', 'progress', 'error_code'])
      .select((query) =>
        query
          .selectFrom('paragraphs')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('task_id', '=', taskId)
          .as('paragraphs'),
      )
      .where('id', '=', taskId)
      .executeTakeFirstOrThrow();
    const now = performance.now();
    if (status === taskStatus.failed) throw new Error(`the task failed: ${error_code}`);
    if (status !== taskStatus.queued) {
      startedAt ??= now;
      progressedAt ||= now;
      const state = [status, step, step_done, progress].join(' ');
      if (state !== lastState) progressedAt = now;
      lastState = state;
      const seconds = (now - progressedAt) / 1000;
      if (seconds > longest.seconds) Object.assign(longest, { seconds, step: step ?? 'begin' });
      if (status === taskStatus.transcribed) {
        return {
          longestSeconds: longest.seconds,
          longestStep: longest.step,
          wallSeconds: (now - startedAt) / 1000,
          detail: { paragraphs: paragraphs ?? 0 },
        };
      }
    }
    await pause(pollMs);
  }
}

async function peakMegabytes({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
