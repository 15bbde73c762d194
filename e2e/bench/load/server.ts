import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '@linnet/server/embedded';
import { type FakeOpenAi, fakeOpenAiKey, startOpenAi } from '@linnet/server/testing/openai';
import { type Balancer, startBalancer } from '../../processes/balancer.ts';
import type { Resources } from '../../processes/resources.ts';
import { Service } from '../../processes/service.ts';
import { findFreePorts } from '../../support/ports.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { LoadAudio } from './audio.ts';

const server = join(import.meta.dirname, '../../../apps/server');
const scripts = {
  api: join(server, 'src/api.ts'),
  worker: join(server, 'src/worker.ts'),
  bare: join(server, 'bench/bare-server.ts'),
};

/**
 * A server on one machine: PostgreSQL, two API processes behind HAProxy, one worker, and objects on disk. Speech is
 * recognized by a fake service in this process. The bare server of `npm run bench -- server` runs beside it, on the
 * same database.
 */
export class LoadServer {
  readonly url: string;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** The address of the API process that isn't killed, and of the bare server. */
  addresses = { api: '', bare: '' };
  readonly #postgres: EmbeddedPostgres;
  readonly #speech: FakeOpenAi;
  readonly #resources: Resources;
  readonly #services = new Map<string, Service>();
  #balancer: Balancer | null = null;

  private constructor(
    port: number,
    dataDir: string,
    postgres: EmbeddedPostgres,
    speech: FakeOpenAi,
    resources: Resources,
  ) {
    this.url = `http://127.0.0.1:${port}`;
    this.dataDir = dataDir;
    this.databaseUrl = postgres.url;
    this.#postgres = postgres;
    this.#speech = speech;
    this.#resources = resources;
  }

  /** @param resources stops the server, even if it has started only in part */
  static async start({ script }: LoadAudio, resources: Resources): Promise<LoadServer> {
    const dataDir = await resources.start(
      () => mkdtemp(join(tmpdir(), 'linnet-load-')),
      (folder) => rm(folder, { recursive: true, force: true }),
    );
    const postgres = await resources.start(
      () => startPostgres({ dataDir, log: () => undefined }),
      (running) => running.stop(),
    );
    const speech = await resources.start(startOpenAi, (running) => running.close());
    speech.script = [...script];
    const first = await findFreePorts(3);
    const load = new LoadServer(first, dataDir, postgres, speech, resources);
    await load.#startAll(first);
    return load;
  }

  /** Kills an API process with SIGKILL. @returns the time until its successor is ready, in milliseconds */
  async killApi(): Promise<number> {
    const startedAt = performance.now();
    await this.#service('API 1').killAndRestart();
    return performance.now() - startedAt;
  }

  /** Returns the process IDs of all services that are running. */
  readonly pids = (): ReadonlyMap<string, number> => {
    const running = [...this.#services].flatMap(([name, { pid }]) =>
      pid === null ? [] : [[name, pid] as const],
    );
    return new Map([
      ...running,
      ['PostgreSQL', this.#postgres.pid],
      ...(this.#balancer ? [['HAProxy', this.#balancer.pid] as const] : []),
      ['clients', process.pid],
    ]);
  };

  /** Returns the end of each log that contains an error. */
  async errors(): Promise<string[]> {
    const lines: string[] = [];
    for (const name of this.#services.keys()) {
      const log = await readFile(this.#log(name), 'utf8');
      // pino: 50 is the level `error`.
      const errors = log.split('\n').filter((line) => /^\{"level":(50|60)/.test(line));
      lines.push(...errors.slice(-5).map((line) => `${name}: ${line.slice(0, 500)}`));
    }
    return lines;
  }

  async #startAll(port: number): Promise<void> {
    const ports = [port + 1, port + 2] as const;
    // The first process creates the keys and migrates the database.
    const first = await this.#start('API 1', scripts.api, { PORT: String(ports[0]) });
    await first.ready();
    const secondApi = await this.#start('API 2', scripts.api, { PORT: String(ports[1]) });
    const worker = await this.#start('worker', scripts.worker, {});
    const bareServer = await this.#start('bare server', scripts.bare, {});
    await worker.ready();
    this.addresses = {
      api: (await secondApi.ready()) ?? '',
      bare: (await bareServer.ready()) ?? '',
    };
    const servers = ports.map((each) => `127.0.0.1:${each}`);
    this.#balancer = await this.#resources.start(
      () => startBalancer({ folder: this.dataDir, address: `127.0.0.1:${port}`, servers }),
      (balancer) => balancer.stop(),
    );
    await waitUntil('the load balancer responds', () =>
      fetch(`${this.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  }

  async #start(name: string, script: string, extra: NodeJS.ProcessEnv): Promise<Service> {
    const options = {
      ...{ program: process.execPath, args: [script], log: this.#log(name) },
      env: { ...this.#environment(), ...extra },
    };
    const service = await this.#resources.start(
      async () => new Service(options),
      (running) => running.stop(),
    );
    this.#services.set(name, service);
    return service;
  }

  #service(name: string): Service {
    const service = this.#services.get(name);
    if (!service) throw new Error(`no service ${name}`);
    return service;
  }

  #log(name: string): string {
    return join(this.dataDir, `${name}.log`);
  }

  #environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: this.dataDir,
      DATABASE_URL: this.databaseUrl,
      PUBLIC_URL: this.url,
      BILLING: 'off',
      RECORDER_PORT: '0',
      MODELS: 'off',
      ASR: 'openai',
      ASR_BASE_URL: this.#speech.url,
      ASR_API_KEY: fakeOpenAiKey,
      // Voice detection would remove the tones.
      VOICE_DETECTION: 'off',
    };
  }
}
