import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PacketEncoder } from '@linnet/audio/convert';
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import { muxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { limits } from '@linnet/contract/limits';
import { taskStatus } from '@linnet/contract/statuses';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { readConfig } from '../src/config/index.ts';
import type { Database, Row } from '../src/db/database.ts';
import { migrate, openDatabase } from '../src/db/database.ts';
import { startPostgres } from '../src/embedded/postgres.ts';
import { openQueue } from '../src/jobs/queue.ts';
import { installModel } from '../src/models/index.ts';
import { createLiveService } from '../src/modules/live/service.ts';
import { createMinutes } from '../src/modules/minutes/service.ts';
import { createTaskService } from '../src/modules/task/service.ts';
import { createTranscriptionSupport } from '../src/modules/task/transcription-support.ts';
import { selectSpeechEngines } from '../src/providers/speech/index.ts';
import { SPEECH_SAMPLE_RATE } from '../src/providers/speech/port.ts';
import { readScene, sceneNames } from '../src/providers/speech/scene-audio.ts';
import { selectStore } from '../src/providers/storage/index.ts';
import { toneModel, writeModel } from '../test/tiny-models.ts';
import { synthesizeTones } from '../test/tiny-onnx.ts';
import type { Measurement } from './speech.ts';

/** The engines, with the lengths of their recordings in minutes. The tone model takes almost no CPU time. */
const engines = {
  sherpa: { minutes: [1, 10, 60], audio: toneTalk },
  pocketsphinx: { minutes: [1], audio: sceneTalk },
} as const;
type Engine = keyof typeof engines;

/** Packets per append: five seconds of audio. */
const batch = 250;
/** Maximum packets that wait for recognition before the next append: one minute of audio. */
const maxWaiting = 60_000 / PACKET_MS;
const pollMs = 20;

/**
 * Measures the time from the end of the upload to the transcript, with and without live text, and the worker's CPU time
 * per minute of audio. Live packets are sent as fast as the engine recognizes them.
 */
export async function run(): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const engine of Object.keys(engines) as Engine[]) {
    for (const minutes of engines[engine].minutes) {
      const packets = await encode(await engines[engine].audio(), minutes * 60);
      const [live, ordinary] = [
        await measure(engine, packets, true),
        await measure(engine, packets, false),
      ];
      const detail = { engine, minutes, ordinarySeconds: round(ordinary.seconds) };
      measurements.push(
        {
          name: 'live text: end of the upload to transcript',
          value: round(live.seconds),
          unit: 's',
          most: 5,
          detail,
        },
        {
          name: 'live text: processor time ÷ that of the ordinary way',
          value: round(live.cpu / ordinary.cpu),
          unit: 'ratio',
          detail: {
            ...{ engine, minutes },
            secondsPerMinute: round(live.cpu / minutes),
            ordinarySecondsPerMinute: round(ordinary.cpu / minutes),
          },
        },
      );
    }
  }
  return measurements;
}

/** Transcribes one recording with a new worker and database. */
async function measure(engine: Engine, packets: Uint8Array, isLive: boolean) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-bench-'));
  const postgres = await startPostgres({ dataDir, log: () => undefined });
  const environment = {
    ...{ DATABASE_URL: postgres.url, DATA_DIR: dataDir, BILLING: 'off' },
    ...{ ASR: engine, MODELS: 'off' },
    // Tones aren't speech.
    ...(engine === 'sherpa' && { VOICE_DETECTION: 'off' }),
    ...(process.env.ENGINES_DIR && { ENGINES_DIR: process.env.ENGINES_DIR }),
  };
  const config = readConfig(environment);
  const { db } = openDatabase(postgres.url, (error) => console.error(error));
  const log = pino({ level: 'silent' });
  let worker: ChildProcess | undefined;
  try {
    await migrate(db);
    const queue = await openQueue(postgres.url, 'api', log);
    await install(config.modelsDir, dataDir);
    worker = fork(fileURLToPath(new URL('../src/worker.ts', import.meta.url)), {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: process.env.PATH, ...environment },
    });
    await once(worker, 'message');
    const now = () => new Date();
    const minutes = createMinutes({ unlimited: true, now });
    const transcription = createTranscriptionSupport(selectSpeechEngines(config), () => undefined);
    const parts = { db, minutes, transcription, now };
    const live = createLiveService({ ...parts, isFree: true });
    const tasks = createTaskService({ ...parts, queue });

    const account = await createAccount(db);
    const { id: accountId } = account;
    const flag = uuidv7();
    if (isLive) await sendLive(db, live, accountId, flag, packets);
    const id = await register(db, await selectStore(config), accountId, flag, packets);
    const startedAt = performance.now();
    await tasks.create(
      { accountId, sessionId: '', keyId: null, scopes: [], account },
      { id, language: 'en' },
    );
    await waitForTranscript(db, id);
    const seconds = (performance.now() - startedAt) / 1000;
    await queue.stop();
    return { seconds, cpu: await processorSeconds(worker) };
  } finally {
    if (worker && worker.exitCode === null) {
      const exit = once(worker, 'exit');
      worker.kill('SIGTERM');
      await exit;
    }
    await db.destroy();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function install(folder: string, dataDir: string): Promise<void> {
  const model = toneModel();
  const from = await writeModel(path.join(dataDir, 'own'), model);
  await installModel({ folder, name: model.name, from, now: () => new Date() });
}

async function createAccount(db: Database): Promise<Row<'accounts'>> {
  const id = uuidv7();
  return db
    .insertInto('accounts')
    .values({
      ...{ id, email: 'bench@example.org', password_hash: '' },
      ...{ agreement_version: '1', agreement_accepted_at: new Date() },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Sends all packets, and waits until all of them are recognized. */
async function sendLive(
  db: Database,
  live: ReturnType<typeof createLiveService>,
  accountId: string,
  client_flag: string,
  packets: Uint8Array,
): Promise<void> {
  const total = packets.length / PACKET_BYTES;
  for (let first = 0; first < total; ) {
    const to = Math.min(total, first + batch);
    const part = Buffer.from(packets.subarray(first * PACKET_BYTES, to * PACKET_BYTES));
    await live.append(accountId, {
      ...{ client_flag, language: 'en', first, packets: part.toString('base64') },
      ...{ ended: to === total, known: 0 },
    });
    first = to;
    const waitsFor = first === total ? total : first - maxWaiting;
    while ((await readSettled(db)) < waitsFor) await pause(pollMs);
  }
}

async function readSettled(db: Database): Promise<number> {
  const session = await db.selectFrom('live_sessions').select('settled').executeTakeFirst();
  return session?.settled ?? 0;
}

/** Stores a recording as if it had just been uploaded. */
async function register(
  db: Database,
  store: Awaited<ReturnType<typeof selectStore>>,
  account_id: string,
  client_flag: string,
  packets: Uint8Array,
): Promise<string> {
  const id = uuidv7();
  const object_key = `voice/${account_id}/${id}.ogg`;
  const file = muxOgg(packets);
  const { size } = await store.put(object_key, Readable.from([file]), {
    maxBytes: limits.upload.voiceBytes,
  });
  await db
    .insertInto('recordings')
    .values({
      ...{ id, account_id, client_flag, object_key, name: 'A talk', rev: 1 },
      ...{ file_size: size, ext: 'ogg', recorded_at: new Date() },
      total_time: (packets.length / PACKET_BYTES) * (PACKET_MS / 1000),
    })
    .execute();
  return id;
}

async function waitForTranscript(db: Database, recordingId: string): Promise<void> {
  for (;;) {
    const { status, error_code } = await db
      .selectFrom('tasks')
      .select(['status', 'error_code'])
      .where('recording_id', '=', recordingId)
      .executeTakeFirstOrThrow();
    if (status === taskStatus.failed) throw new Error(`the task failed: ${error_code}`);
    if (status === taskStatus.transcribed) return;
    await pause(pollMs);
  }
}

/** Returns the CPU time of a worker and its engines, in seconds. Only engines that have exited are included. */
async function processorSeconds({ pid }: ChildProcess): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  // proc(5): utime, stime, cutime and cstime are fields 14 to 17. `fields` starts with field 3.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / 100;
}

/** Returns a sentence of tones that the tone model recognizes. */
async function toneTalk(): Promise<Int16Array> {
  const sentence = synthesizeTones(
    Array.from({ length: 12 }, (_, index) => (index % 2 ? 'alpha' : 'echo')),
  );
  return sentence.samples;
}

/** Returns the spoken scenes, concatenated. */
async function sceneTalk(): Promise<Int16Array> {
  const scenes = await Promise.all((await sceneNames()).map(readScene));
  return Int16Array.from(scenes.flatMap(({ samples }) => [...samples]));
}

/** Repeats samples for a number of seconds, and encodes them as Opus packets. */
async function encode(samples: Int16Array, seconds: number): Promise<Uint8Array> {
  const encoder = new PacketEncoder(await loadOpus(readOpusWasm()));
  try {
    const parts: Uint8Array[] = [];
    for (
      let remainingSamples = seconds * SPEECH_SAMPLE_RATE;
      remainingSamples > 0;
      remainingSamples -= samples.length
    ) {
      parts.push(encoder.push(samples.subarray(0, remainingSamples)));
    }
    return Buffer.concat([...parts, encoder.end()]);
  } finally {
    encoder.free();
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
