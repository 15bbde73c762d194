import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@linnet/server/embedded';
import { fakeOpenAiKey, startOpenAi } from '@linnet/server/testing/openai';
import type { SpokenWord } from '@linnet/server/testing/tones';
import { type Balancer, startBalancer } from '../processes/balancer.ts';
import type { Resources } from '../processes/resources.ts';
import { Service } from '../processes/service.ts';
import { findFreePorts } from '../support/ports.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { UpdatableServer } from './rehearsal.ts';

export type LocalServerOptions = {
  /** Folder of the version that all processes run at first. */
  readonly version: string;
  /** The words of all recordings. */
  readonly script: readonly SpokenWord[];
  /** Stops the server, even if it has started only in part. */
  readonly resources: Resources;
};

/** A process, with the script that it runs and its own environment variables. */
type Role = {
  readonly script: 'api' | 'worker';
  readonly env: NodeJS.ProcessEnv;
};

/**
 * Two API processes behind a load balancer, two workers and PostgreSQL, all on this machine. Speech is recognized by a
 * fake service in this process.
 */
export class LocalServer implements UpdatableServer {
  readonly url: string;
  readonly databaseUrl: string;
  readonly #folder: string;
  readonly #resources: Resources;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #roles: ReadonlyMap<string, Role>;
  readonly #services = new Map<string, Service>();
  #balancer: Balancer | null = null;

  private constructor(
    addresses: { readonly speechUrl: string; readonly databaseUrl: string },
    ports: { readonly balancer: number; readonly apis: readonly number[] },
    folder: string,
    resources: Resources,
  ) {
    this.url = `http://127.0.0.1:${ports.balancer}`;
    this.databaseUrl = addresses.databaseUrl;
    this.#folder = folder;
    this.#resources = resources;
    this.#environment = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: folder,
      DATABASE_URL: this.databaseUrl,
      SECRET: randomBytes(32).toString('hex'),
      PUBLIC_URL: this.url,
      TRUSTED_PROXIES: '127.0.0.1',
      RECORDER_PORT: '0',
      // Minutes are charged only if they aren't free.
      BILLING: 'sandbox',
      FFMPEG: 'none',
      MODELS: 'off',
      ASR: 'openai',
      ASR_BASE_URL: addresses.speechUrl,
      ASR_API_KEY: fakeOpenAiKey,
      // Voice detection would remove the tones.
      VOICE_DETECTION: 'off',
    };
    this.#roles = new Map<string, Role>([
      ...ports.apis.map(
        (port, index) =>
          [`api${index + 1}`, { script: 'api', env: { PORT: String(port) } }] as const,
      ),
      ['worker1', { script: 'worker', env: {} }],
      ['worker2', { script: 'worker', env: {} }],
    ]);
  }

  static async start({ version, script, resources }: LocalServerOptions): Promise<LocalServer> {
    const folder = await resources.start(
      () => mkdtemp(join(tmpdir(), 'linnet-update-')),
      (path) => rm(path, { recursive: true, force: true }),
    );
    const postgres = await resources.start(
      () => startPostgres({ dataDir: folder, log: () => undefined }),
      (running) => running.stop(),
    );
    const speech = await resources.start(startOpenAi, (running) => running.close());
    speech.script = [...script];
    const balancer = await findFreePorts(3);
    const server = new LocalServer(
      { speechUrl: speech.url, databaseUrl: postgres.url },
      { balancer, apis: [balancer + 1, balancer + 2] },
      folder,
      resources,
    );
    await server.#startAll(version);
    return server;
  }

  get processes(): readonly string[] {
    return [...this.#roles.keys()];
  }

  async update(name: string, version: string): Promise<void> {
    const address = addressOf(this.#roles.get(name));
    if (address) await this.#balancer?.drain(address);
    await this.#services.get(name)?.stop();
    await this.#start(name, version);
    if (address) await this.#balancer?.resume(address);
  }

  /** Returns the errors in the logs of all processes. */
  async errors(): Promise<readonly string[]> {
    const logs = this.processes.map(async (name) => {
      const lines = (await readFile(this.#log(name), 'utf8')).split('\n');
      // pino: 50 is the level `error`.
      return lines.filter((line) => /^\{"level":(50|60)/.test(line));
    });
    return (await Promise.all(logs)).flat();
  }

  async #startAll(version: string): Promise<void> {
    // The first process migrates the database.
    for (const name of this.processes) await this.#start(name, version);
    const servers = [...this.#roles.values()].map(addressOf).filter((each) => each !== null);
    const address = new URL(this.url).host;
    this.#balancer = await this.#resources.start(
      () => startBalancer({ folder: this.#folder, address, servers }),
      (running) => running.stop(),
    );
    await waitUntil('the load balancer responds', () =>
      fetch(`${this.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  }

  /** Starts a process of a version, and waits until it is ready. */
  async #start(name: string, version: string): Promise<void> {
    const role = this.#roles.get(name);
    if (!role) throw new Error(`no process ${name}`);
    const options = {
      program: process.execPath,
      args: [join(version, `apps/server/src/${role.script}.ts`)],
      env: { ...this.#environment, ...role.env },
      log: this.#log(name),
    };
    const service = await this.#resources.start(
      async () => new Service(options),
      (running) => running.stop(),
    );
    this.#services.set(name, service);
    await service.ready();
  }

  #log(name: string): string {
    return join(this.#folder, `${name}.log`);
  }
}

/** Returns the address on which a process listens, or null for a worker. */
const addressOf = (role: Role | undefined) =>
  role?.env.PORT ? `127.0.0.1:${role.env.PORT}` : null;
