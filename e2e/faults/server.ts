import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type CallResult, type Client, createClient } from '@linnet/contract/client';
import { readConfig } from '@linnet/server/config';
import { type EmbeddedPostgres, startPostgres } from '@linnet/server/embedded';
import { selectStore } from '@linnet/server/storage';
import { execute } from '@linnet/server/testing/database';
import { type FakeOpenAi, fakeOpenAiKey, startOpenAi } from '@linnet/server/testing/openai';
import { bucketVariables, refuseObjects, type S3Bucket } from '@linnet/server/testing/s3';
import { waitForEmailedCode } from '../support/emailed-code.ts';
import { findFreePort } from '../support/ports.ts';
import { waitUntil } from '../support/wait-until.ts';

const PASSWORD = 'wren-gale-harbour-7';
const scripts = join(import.meta.dirname, '../../apps/server/src');
/** Delay before a process that exited is restarted, in milliseconds. */
const RESTART_MS = 200;
/** More bytes than any disk has. */
const NO_SPACE = 999_999_999_999;

/** A process that runs the server's code. */
type ServiceProcess = 'api' | 'worker' | 'second_worker';
/** A process of the server that can be killed. */
export type ServerProcess = ServiceProcess | 'postgres';

/** An account, signed in on a device. */
export type Account = {
  readonly id: string;
  readonly access: string;
  readonly refresh: string;
};

type FaultServerOptions = {
  readonly workers: 1 | 2;
  /** The bucket for objects, or null to store them as files. */
  readonly bucket: S3Bucket | null;
};

/** A service process, and whether it has reported that it is ready. */
type RunningProcess = { child: ChildProcess; isReady: boolean };

/**
 * A server: PostgreSQL, the API, and one or two workers, each in its own process. Killed processes are restarted,
 * as the supervisor of `npm start` does. Speech recognition is a fake service that decodes tones.
 */
export class FaultServer {
  readonly url: string;
  readonly dataDir: string;
  readonly speech: FakeOpenAi;
  readonly #postgres: EmbeddedPostgres;
  readonly #running = new Map<ServiceProcess, RunningProcess>();
  readonly #supervised: Promise<void>[] = [];
  readonly #stopping = new AbortController();
  readonly #port: number;
  readonly #bucket: S3Bucket | null;
  #isStoreFull = false;
  /** Process ID of the PostgreSQL server that was killed last. */
  #killedPid: number | null = null;

  private constructor(
    port: number,
    dataDir: string,
    postgres: EmbeddedPostgres,
    speech: FakeOpenAi,
    bucket: S3Bucket | null,
  ) {
    this.#port = port;
    this.#bucket = bucket;
    this.url = `http://localhost:${port}`;
    this.dataDir = dataDir;
    this.#postgres = postgres;
    this.speech = speech;
  }

  static async start({ workers, bucket }: FaultServerOptions): Promise<FaultServer> {
    const dataDir = await mkdtemp(join(tmpdir(), 'linnet-faults-'));
    const postgres = await startPostgres({ dataDir, log: () => {} });
    const speech = await startOpenAi();
    const server = new FaultServer(await findFreePort(), dataDir, postgres, speech, bucket);
    try {
      server.#supervised.push(server.#supervise('api'));
      // The API migrates the database.
      await server.#waitUntilReady('api');
      server.#supervised.push(server.#supervise('worker'));
      if (workers === 2) server.#supervised.push(server.#supervise('second_worker'));
      await server.waitUntilUp();
      for (const statement of recordEnds) await server.rows(statement);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** Kills a process, which then restarts. Does nothing if there is no second worker. */
  kill(name: ServerProcess): void {
    if (name === 'postgres') {
      this.#killPostgres();
      return;
    }
    const runningProcess = this.#running.get(name);
    if (!runningProcess) return;
    runningProcess.isReady = false;
    runningProcess.child.kill('SIGKILL');
  }

  /** Makes the object store reject or accept new objects. Restarts the API if it checks the disk space itself. */
  async setStoreFull(isFull: boolean): Promise<void> {
    if (isFull === this.#isStoreFull) return;
    this.#isStoreFull = isFull;
    if (this.#bucket) await refuseObjects(this.#bucket, isFull);
    else this.kill('api');
  }

  /** Resolves once all processes are ready and the database accepts connections. */
  async waitUntilUp(): Promise<void> {
    await waitUntil('the database responds', () =>
      this.rows('select 1').then(
        () => true,
        () => false,
      ),
    );
    for (const name of this.#running.keys()) await this.#waitUntilReady(name);
    await waitUntil('the API responds', () =>
      fetch(`${this.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  }

  async register(): Promise<Account> {
    const email = `${crypto.randomUUID()}@example.org`;
    const client = createClient({ baseUrl: this.url });
    unwrap(await client.call('site/code', { email }));
    const code = await waitForEmailedCode(this.dataDir, email);
    const fields = { email, code, password: PASSWORD, repassword: PASSWORD };
    const { id } = unwrap(await client.call('user/register', fields));
    const login = unwrap(await client.call('user/login', { email, password: PASSWORD }));
    return { id, access: login.access_token, refresh: login.refresh_token };
  }

  /** Creates an API client for an account. @param fetch the network to use */
  client({ access, refresh }: Account, fetch = globalThis.fetch): Client {
    const tokens = { access: () => access, refresh: () => refresh };
    return createClient({ baseUrl: this.url, tokens, fetch });
  }

  /** Runs an SQL statement, over a new connection that no kill has broken. */
  rows<Row extends Record<string, unknown>>(
    statement: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    return execute<Row>(this.#postgres.url, statement, values);
  }

  /** Deletes a recording's object without the server's knowledge. */
  async loseObject(recording: string): Promise<void> {
    const store = await this.#openStore();
    await store.delete(await this.#findObject(recording));
  }

  /** Truncates a recording's object to half its size without the server's knowledge. */
  async halveObject(recording: string): Promise<void> {
    const store = await this.#openStore();
    const key = await this.#findObject(recording);
    const size = (await store.stat(key))?.size ?? 0;
    const half = await buffer(await store.read(key, { start: 0, end: Math.floor(size / 2) - 1 }));
    await store.put(key, Readable.from([half]), { maxBytes: half.length });
  }

  /** Returns the end of a service's log. */
  async logTail(name: ServiceProcess): Promise<string> {
    const text = await readFile(this.#log(name), 'utf8');
    return text.slice(-4000);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { child } of this.#running.values()) child.kill('SIGTERM');
    await Promise.all(this.#supervised);
    await this.#postgres.stop();
    await this.speech.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  #openStore() {
    return selectStore(readConfig(this.#environment()));
  }

  /** Returns the key of a recording's object. */
  async #findObject(recording: string): Promise<string> {
    const [row] = await this.rows<{ object_key: string }>(
      'select object_key from recordings where client_flag = $1 and object_key is not null',
      [recording],
    );
    if (!row) throw new Error(`${recording} has no object`);
    return row.object_key;
  }

  #killPostgres(): void {
    const { pid } = this.#postgres;
    // Until PostgreSQL has restarted, the file still contains the killed process's ID.
    if (pid === this.#killedPid) return;
    this.#killedPid = pid;
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  #log(name: ServiceProcess): string {
    return join(this.dataDir, `${name}.log`);
  }

  async #supervise(name: ServiceProcess): Promise<void> {
    const { signal } = this.#stopping;
    const program = join(scripts, name === 'api' ? 'api.ts' : 'worker.ts');
    while (!signal.aborted) {
      const output = openSync(this.#log(name), 'a');
      const child = spawn(process.execPath, [program], {
        env: this.#environment(),
        stdio: ['ignore', output, output, 'ipc'],
      });
      closeSync(output);
      const runningProcess = { child, isReady: false };
      this.#running.set(name, runningProcess);
      child.on('message', (message) => {
        if (typeof message === 'object' && message !== null && 'ready' in message)
          runningProcess.isReady = !child.killed;
      });
      await once(child, 'exit');
      runningProcess.isReady = false;
      if (!signal.aborted) await delay(RESTART_MS);
    }
  }

  #environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(this.#port),
      DATA_DIR: this.dataDir,
      DATABASE_URL: this.#postgres.url,
      RECORDER_PORT: '0',
      LOG_LEVEL: 'warn',
      FFMPEG: 'none',
      MODELS: 'off',
      ASR: 'openai',
      ASR_BASE_URL: this.speech.url,
      ASR_API_KEY: fakeOpenAiKey,
      // Voice detection would remove the tones.
      VOICE_DETECTION: 'off',
      DISK_RESERVE: this.#isStoreFull ? String(NO_SPACE) : '0',
      ...(this.#bucket && bucketVariables(this.#bucket)),
    };
  }

  async #waitUntilReady(name: ServiceProcess): Promise<void> {
    await waitUntil(`the ${name} is ready`, () => this.#running.get(name)?.isReady);
  }
}

/** SQL statements that record the end of each task, including tasks that are deleted later. */
const recordEnds = [
  `create table task_ends (
    id bigint generated always as identity, task_id text, account_id uuid, status int, error_code int,
    minutes int)`,
  `create function record_end() returns trigger language plpgsql as $$
    begin
      if new.status in (2, 3) and (tg_op = 'INSERT' or old.status is distinct from new.status) then
        insert into task_ends (task_id, account_id, status, error_code, minutes)
        values (new.id::text, new.account_id, new.status, new.error_code, new.minutes);
      end if;
      return new;
    end $$`,
  `create trigger record_end after insert or update on tasks
    for each row execute function record_end()`,
] as const;

/** True if a signal failed because its process has exited. */
const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ESRCH';

/** Returns the data of a successful call. @throws if the call failed */
export function unwrap<T>(result: CallResult<T>): T {
  if (result.ok) return result.data;
  throw new Error(`a call failed: ${JSON.stringify(result.failure)}`);
}
