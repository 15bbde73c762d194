import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { migrate, openDatabase } from '../src/db/database.ts';
import { startPostgres } from '../src/embedded/postgres.ts';
import { createAccess } from '../src/modules/user/access.ts';
import { hashPassword } from '../src/modules/user/passwords.ts';
import { loadKeys } from '../src/secrets.ts';
import type { Measurement } from './speech.ts';

/** Number of concurrent clients. */
const connections = 20;
/** Duration of a measurement in seconds. */
const seconds = 4;
/** Number of measurements per case. The server and the baseline take turns. */
const rounds = 2;
const rows = 1000;
const password = 'correct horse battery';
/** Number of requests in the memory test: before the first measurement (`warm`), and in total. */
const soak = { warm: 20_000, total: 100_000 };

interface Case {
  readonly name: string;
  readonly serverRequest: autocannon.Request;
  readonly baselineRequest: autocannon.Request;
}

/** Measures requests per second and p99 latency, relative to bare Fastify and pg in the same run. */
export async function run(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const postgres = await startPostgres({ dataDir, log: () => undefined });
  const children: ChildProcess[] = [];
  try {
    const seeded = await seed(postgres.url, dataDir);
    const start = async (script: string, env: Record<string, string>) => {
      const child = fork(fileURLToPath(new URL(script, import.meta.url)), {
        execArgv: [],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: { PATH: process.env.PATH, DATABASE_URL: postgres.url, ...env },
      });
      children.push(child);
      const exited = new AbortController();
      child.once('exit', () => exited.abort(new Error(`${script} exited before it was ready`)));
      const [{ address }] = (await once(child, 'message', { signal: exited.signal })) as [
        { address: string },
      ];
      return { child, address };
    };
    const baseline = await start('./bare-server.ts', {});
    // PUBLIC_URL makes the server trust forwarded addresses, so requests can come from many clients.
    const server = await start('../src/api.ts', {
      DATA_DIR: dataDir,
      PORT: '0',
      PUBLIC_URL: 'http://127.0.0.1',
    });
    const measurements: Measurement[] = [];
    for (const benchmarkCase of cases(seeded)) {
      measurements.push(...(await compare(benchmarkCase, server.address, baseline.address)));
    }
    measurements.push(await memory(server.child, server.address, seeded));
    return measurements;
  } finally {
    for (const child of children) {
      if (child.exitCode !== null) continue;
      const exitPromise = once(child, 'exit');
      child.kill('SIGTERM');
      await exitPromise;
    }
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface SeededAccount {
  readonly account: string;
  readonly session: string;
  readonly token: string;
}

function cases({ account, session, token }: SeededAccount): Case[] {
  const json = { 'content-type': 'application/json' };
  const createListCase = (
    name: string,
    path: string,
    baselinePath: string,
    limit: number,
  ): Case => ({
    name,
    serverRequest: {
      method: 'POST',
      path,
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ limit, page: 1 }),
    },
    baselineRequest: {
      method: 'POST',
      path: baselinePath,
      headers: json,
      body: JSON.stringify({ account, session, limit }),
    },
  });
  return [
    createListCase('trivial (device/index)', '/api/device/index', '/trivial', 1),
    {
      name: 'login',
      serverRequest: signIn('/alien-user/api/user/login'),
      baselineRequest: signIn('/login'),
    },
    createListCase('task/index, 1000 rows', '/api/task/index', '/list', rows),
    createListCase(pageCase, '/api/task/index', '/list', 20),
  ];
}

const pageCase = 'task/index, 20 rows';

/** Sends each request from a different address, and rotates through the accounts, to avoid rate limits. */
function signIn(path: string): autocannon.Request {
  let count = 0;
  return {
    method: 'POST',
    path,
    setupRequest: (request) => {
      count += 1;
      const address = [10, count >> 16, count >> 8, count].map((part) => part & 255).join('.');
      return {
        ...request,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ email: createEmail(count % connections), password }),
      };
    },
  };
}

async function compare(
  benchmarkCase: Case,
  serverUrl: string,
  baselineUrl: string,
): Promise<Measurement[]> {
  const measured: { server: autocannon.Result[]; baseline: autocannon.Result[] } = {
    server: [],
    baseline: [],
  };
  for (let round = 0; round <= rounds; round += 1) {
    const results = {
      baseline: await load(baselineUrl, benchmarkCase.baselineRequest, {
        duration: round === 0 ? 1 : seconds,
      }),
      server: await load(serverUrl, benchmarkCase.serverRequest, {
        duration: round === 0 ? 1 : seconds,
      }),
    };
    // The first round warms up.
    if (round === 0) continue;
    measured.baseline.push(results.baseline);
    measured.server.push(results.server);
  }
  const rate = (results: autocannon.Result[]) => mean(results.map((r) => r.requests.average));
  const p99 = (results: autocannon.Result[]) => mean(results.map((r) => r.latency.p99));
  const detail = { connections };
  return [
    {
      name: `${benchmarkCase.name}: requests/s ÷ bare Fastify + pg`,
      value: round3(rate(measured.server) / rate(measured.baseline)),
      unit: 'ratio',
      detail: {
        ...detail,
        ours: round3(rate(measured.server)),
        bare: round3(rate(measured.baseline)),
      },
    },
    {
      name: `${benchmarkCase.name}: p99 ÷ bare Fastify + pg`,
      value: round3(p99(measured.server) / Math.max(1, p99(measured.baseline))),
      unit: 'ratio',
      detail: {
        ...detail,
        oursMs: p99(measured.server),
        bareMs: p99(measured.baseline),
      },
    },
  ];
}

async function load(
  url: string,
  request: autocannon.Request,
  bound: { duration: number } | { amount: number },
): Promise<autocannon.Result> {
  const result = await autocannon({
    url,
    connections,
    requests: [request],
    // A response with an error code counts as a mismatch.
    verifyBody: (body) => !/^\{"code":[^0]/.test(String(body)),
    ...bound,
  });
  const failed = result.non2xx + result.errors + result.timeouts + result.mismatches;
  if (failed > 0) throw new Error(`${request.path}: ${failed} requests failed`);
  return result;
}

/** Measures how much resident memory grows during a long run of requests, after a warm-up. */
async function memory(
  child: ChildProcess,
  url: string,
  seeded: SeededAccount,
): Promise<Measurement> {
  const page = cases(seeded).find(({ name }) => name === pageCase)?.serverRequest;
  if (!page) throw new Error(`no case ${pageCase}`);
  await load(url, page, { amount: soak.warm });
  const megabytesBefore = await residentMegabytes(child);
  await load(url, page, { amount: soak.total - soak.warm });
  const megabytesAfter = await residentMegabytes(child);
  return {
    name: `memory after ${soak.total} requests ÷ after ${soak.warm}`,
    value: round3(megabytesAfter / megabytesBefore),
    unit: 'ratio',
    detail: { beforeMB: megabytesBefore, afterMB: megabytesAfter },
  };
}

async function residentMegabytes({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}

const createEmail = (index: number) => `bench-${index}@example.org`;

/** Creates an account with a thousand transcribed recordings, and other accounts that only sign in. */
async function seed(url: string, dataDir: string): Promise<SeededAccount> {
  const { db } = openDatabase(url, (error) => console.error(error));
  try {
    await migrate(db);
    const hash = await hashPassword(password);
    const ids = Array.from({ length: connections }, () => uuidv7());
    const now = new Date();
    await db
      .insertInto('accounts')
      .values(
        ids.map((id, index) => ({
          id,
          email: createEmail(index),
          password_hash: hash,
          agreement_version: '1',
          agreement_accepted_at: now,
        })),
      )
      .execute();
    const [account] = ids as [string];
    await sql`
      insert into recordings (id, account_id, client_flag, name, ai_title, source, object_key,
        file_size, sha256, mime_type, ext, total_time, sn, brief, keywords, tags, rev, recorded_at)
      select gen_random_uuid(), ${account}, gen_random_uuid()::text, 'Rounds on ward ' || n,
        'Morning rounds', n % 2, 'voice/' || n || '/' || gen_random_uuid() || '.ogg', 2000000 + n,
        repeat('ab', 32), 'audio/ogg', 'ogg', 600 + n, 'SN-1',
        'Three patients were seen and two were sent home.',
        '["rounds", "ward", "patients", "home"]', '["work"]', n, now() - n * interval '1 hour'
      from generate_series(1, ${rows}) n`.execute(db);
    await sql`
      insert into tasks (id, recording_id, account_id, language, status, progress, engine, rev)
      select gen_random_uuid(), id, account_id, 'en', 2, 100, 'pocketsphinx', rev
      from recordings`.execute(db);
    await sql`analyze`.execute(db);
    const session = uuidv7();
    await db.insertInto('sessions').values({ id: session, account_id: account }).execute();
    const keys = await loadKeys({ DATA_DIR: dataDir, SECRET: undefined });
    const access = createAccess(db, keys.accessToken, () => new Date());
    return { account, session, token: access.sign(account, session) };
  } finally {
    await db.destroy();
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
function round3(value: number): number {
  return Math.round(value * 1000) / 1000;
}
