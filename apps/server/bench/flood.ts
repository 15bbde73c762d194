import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { migrate, openDatabase } from '../src/db/database.ts';
import { startPostgres } from '../src/embedded/postgres.ts';
import { createAccess } from '../src/modules/user/access.ts';
import { hashPassword } from '../src/modules/user/passwords.ts';
import { loadKeys } from '../src/secrets.ts';
import type { Measurement } from './speech.ts';

/** Duration of a measurement in seconds. */
const seconds = 12;
/** Interval of the measured account's calls in milliseconds. */
const everyMs = 25;
const kinds = ['sync', 'uploads', 'tasks', 'login'] as const;
/** Maximum ratio of the measured account's response times with and without load. */
const target = 3;

/** Measures the response times of one account while another floods the server, and without load. */
export async function run(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const postgres = await startPostgres({ dataDir, log: () => undefined });
  let api: ChildProcess | null = null;
  try {
    const [otherUser, flooding] = await seed(postgres.url, dataDir);
    const server = start('../src/api.ts', [], {
      DATABASE_URL: postgres.url,
      DATA_DIR: dataDir,
      PORT: '0',
    });
    api = server;
    const [{ address }] = (await once(server, 'message')) as [{ address: string }];
    await measureResponseTimes(address, otherUser.token, 3);
    const measurements: Measurement[] = [];
    for (const kind of kinds) {
      const baselineP99 = p99(await measureResponseTimes(address, otherUser.token, seconds));
      const flood = start('./flood-client.ts', [JSON.stringify({ kind, address, ...flooding })]);
      await once(flood, 'message');
      const loaded = p99(await measureResponseTimes(address, otherUser.token, seconds));
      await end(flood);
      measurements.push({
        name: `bystander's p99 while another account floods (${kind}) ÷ quiet`,
        value: Math.round((loaded / baselineP99) * 100) / 100,
        unit: 'ratio',
        detail: { quietMs: Math.round(baselineP99), floodMs: Math.round(loaded), target },
      });
    }
    return measurements;
  } finally {
    if (api) await end(api);
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Alternates read and write calls of an account. Returns their response times in milliseconds. */
async function measureResponseTimes(
  address: string,
  token: string,
  forSeconds: number,
): Promise<number[]> {
  const durations: number[] = [];
  const deadline = performance.now() + forSeconds * 1000;
  for (let n = 0; performance.now() < deadline; n += 1) {
    const [path, body] =
      n % 2 === 0 ? ['user/info', {}] : ['user/updateNickname', { nickname: `Bystander ${n}` }];
    const start = performance.now();
    const response = await fetch(`${address}/alien-user/api/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { code } = (await response.json()) as { code: number };
    const durationMs = performance.now() - start;
    if (code !== 0) throw new Error(`${path} returned ${code}`);
    durations.push(durationMs);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, everyMs - durationMs)));
  }
  return durations;
}

function p99(durations: readonly number[]): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
}

function start(script: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  return fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, ...env },
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exitPromise = once(child, 'exit');
  child.kill('SIGTERM');
  await exitPromise;
}

interface SeededAccount {
  readonly token: string;
  readonly email: string;
  readonly recordings: readonly string[];
}

/** Creates two accounts, each with a session, recordings and minutes to transcribe them. */
async function seed(url: string, dataDir: string): Promise<[SeededAccount, SeededAccount]> {
  const { db } = openDatabase(url, (error) => console.error(error));
  try {
    await migrate(db);
    const keys = await loadKeys({ DATA_DIR: dataDir, SECRET: undefined });
    const access = createAccess(db, keys.accessToken, () => new Date());
    const hash = await hashPassword('correct horse battery');
    const createAccount = async (email: string): Promise<SeededAccount> => {
      const [id, session] = [uuidv7(), uuidv7()];
      await db
        .insertInto('accounts')
        .values({
          ...{ id, email, password_hash: hash },
          ...{ agreement_version: '1', agreement_accepted_at: new Date() },
        })
        .execute();
      await db.insertInto('sessions').values({ id: session, account_id: id }).execute();
      await db
        .insertInto('minute_grants')
        .values({ id: uuidv7(), account_id: id, purse: 'free', minutes: 10_000, ref: 'bench' })
        .execute();
      const recordings = Array.from({ length: 50 }, () => uuidv7());
      await db
        .insertInto('recordings')
        .values(
          recordings.map((recording) => ({
            ...{ id: recording, account_id: id, client_flag: recording, rev: 1 },
            ...{ object_key: `voice/${id}/${recording}.ogg`, total_time: 60 },
            recorded_at: new Date(),
          })),
        )
        .execute();
      return { token: access.sign(id, session), email, recordings };
    };
    return [
      await createAccount('bystander@example.org'),
      await createAccount('flooding@example.org'),
    ];
  } finally {
    await db.destroy();
  }
}
