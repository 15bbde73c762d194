import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeOpenAiKey } from '@linnet/server/testing/openai';
import type { SpokenWord } from '@linnet/server/testing/tones';
import { waitUntil } from '../../support/wait-until.ts';
import { startBalancer } from '../load/balancer.ts';
import type { Resources } from '../load/resources.ts';
import { Service } from '../load/service.ts';
import { type Machine, MachineNetwork } from './network.ts';

const PORT = 8080;
const hosts = join(import.meta.dirname, 'hosts');
const server = join(import.meta.dirname, '../../../apps/server/src');

/** A machine with the one service that runs on it. */
export type Host = { readonly machine: Machine; readonly service: Service };

/**
 * Two API hosts behind a load balancer, a database, an object store, a speech recognition service, and up to four
 * workers, each on a machine of its own.
 */
export class Cluster {
  /** The address that phones use. */
  readonly url: string;
  /** The address of the database, for this process. */
  readonly databaseUrl: string;
  readonly network: MachineNetwork;
  readonly apis: readonly Host[];
  readonly workers: Host[] = [];
  readonly #machines: readonly Machine[];
  readonly #environment: NodeJS.ProcessEnv;
  readonly #folder: string;
  readonly #resources: Resources;

  private constructor(fields: {
    readonly url: string;
    readonly databaseUrl: string;
    readonly network: MachineNetwork;
    readonly apis: readonly Host[];
    readonly workerMachines: readonly Machine[];
    readonly environment: NodeJS.ProcessEnv;
    readonly folder: string;
    readonly resources: Resources;
  }) {
    this.url = fields.url;
    this.databaseUrl = fields.databaseUrl;
    this.network = fields.network;
    this.apis = fields.apis;
    this.#machines = fields.workerMachines;
    this.#environment = fields.environment;
    this.#folder = fields.folder;
    this.#resources = fields.resources;
  }

  /**
   * Starts everything but the workers.
   * @param script the words of all recordings
   * @param workers number of machines for workers
   * @param resources stops the cluster, even if it has started only in part
   */
  static async start(
    script: readonly SpokenWord[],
    workers: number,
    resources: Resources,
  ): Promise<Cluster> {
    const folder = await resources.start(
      () => mkdtemp(join(tmpdir(), 'linnet-machines-')),
      (path) => rm(path, { recursive: true, force: true }),
    );
    const network = await MachineNetwork.create(resources);
    const context = { folder, resources };
    const [database, store, speech] = [
      await network.add('database'),
      await network.add('store'),
      await network.add('speech'),
    ];
    const scriptFile = join(folder, 'script.json');
    await writeFile(scriptFile, JSON.stringify(script));
    const environment = pickEnvironment();
    const run = (machine: Machine, args: readonly string[]) =>
      startService(machine, join(hosts, `${machine.name}.ts`), args, environment, context);
    const [databaseHost, storeHost, speechHost] = [
      await run(database, [join(folder, 'database'), database.address]),
      await run(store, [store.address]),
      await run(speech, [speech.address, scriptFile]),
    ];
    const [databaseUrl, storeUrl, speechUrl] = await Promise.all(
      [databaseHost, storeHost, speechHost].map(async ({ service }) => (await service.ready()) ?? ''),
    );

    const balancer = await network.add('balancer');
    const address = `${balancer.address}:${PORT}`;
    const url = `http://${address}`;
    const { origin, username, password, pathname } = new URL(storeUrl as string);
    const serverEnvironment = {
      ...environment,
      DATABASE_URL: databaseUrl,
      PORT: String(PORT),
      SECRET: randomBytes(32).toString('hex'),
      STORAGE: 's3',
      S3_ENDPOINT: origin,
      S3_BUCKET: pathname.slice(1),
      S3_ACCESS_KEY_ID: username,
      S3_SECRET_ACCESS_KEY: password,
      S3_FORCE_PATH_STYLE: 'true',
      PUBLIC_URL: url,
      ALLOW_PLAIN_HTTP: 'true',
      TRUSTED_PROXIES: `${network.subnet}.0/24`,
      // Minutes are charged only if they aren't free.
      BILLING: 'sandbox',
      MODELS: 'off',
      ASR: 'openai',
      ASR_BASE_URL: speechUrl,
      ASR_API_KEY: fakeOpenAiKey,
      // Voice detection would remove the tones.
      VOICE_DETECTION: 'off',
    };
    const apis: Host[] = [];
    for (const name of ['api1', 'api2']) {
      const machine = await network.add(name);
      apis.push(await startServer(machine, 'api.ts', serverEnvironment, context));
      // The first process migrates the database.
      await apis[0]?.service.ready();
    }
    const servers = apis.map(({ machine }) => `${machine.address}:${PORT}`);
    await resources.start(
      () => startBalancer({ folder, address, servers, launcher: balancer.launcher }),
      (running) => running.stop(),
    );
    const isReady = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil('the load balancer answers', isReady);
    await Promise.all(apis.map(({ service }) => service.ready()));
    const workerMachines: Machine[] = [];
    for (let number = 1; number <= workers; number += 1) {
      workerMachines.push(await network.add(`worker${number}`));
    }
    const rest = { environment: serverEnvironment, folder, resources };
    return new Cluster({
      ...{ url, databaseUrl: databaseUrl as string, network, apis, workerMachines },
      ...rest,
    });
  }

  /** Starts workers until there are `count` of them, and waits until they are ready. */
  async startWorkers(count: number): Promise<void> {
    const context = { folder: this.#folder, resources: this.#resources };
    for (const machine of this.#machines.slice(this.workers.length, count)) {
      this.workers.push(await startServer(machine, 'worker.ts', this.#environment, context));
    }
    await Promise.all(this.workers.map(({ service }) => service.ready()));
  }

  /** Stops the last workers, so that `count` of them remain. */
  async stopWorkers(count: number): Promise<void> {
    await Promise.all(this.workers.splice(count).map(({ service }) => service.stop()));
  }

  /** Counts the errors in the logs of API processes and workers, by message. */
  async countErrors(): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const { name } of [...this.apis.map(({ machine }) => machine), ...this.#machines]) {
      const log = await readFile(logOf(this.#folder, name), 'utf8').catch(() => '');
      // pino: 50 is the level `error`.
      for (const line of log.split('\n').filter((each) => /^\{"level":(50|60)/.test(each))) {
        const { msg } = JSON.parse(line) as { msg: string };
        counts[msg] = (counts[msg] ?? 0) + 1;
      }
    }
    return counts;
  }
}

type Context = { readonly folder: string; readonly resources: Resources };

/** Starts an API process or a worker. Its data folder is on its own machine. */
function startServer(
  machine: Machine,
  script: 'api.ts' | 'worker.ts',
  environment: NodeJS.ProcessEnv,
  context: Context,
): Promise<Host> {
  const own = { HOST: machine.address, DATA_DIR: join(context.folder, machine.name) };
  return startService(machine, join(server, script), [], { ...environment, ...own }, context);
}

async function startService(
  machine: Machine,
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { folder, resources }: Context,
): Promise<Host> {
  const [program, ...launcherArgs] = machine.launcher;
  const options = {
    ...{ program, args: [...launcherArgs, process.execPath, script, ...args] },
    ...{ env, log: logOf(folder, machine.name) },
  };
  const service = await resources.start(
    async () => new Service(options),
    (running) => running.stop(),
  );
  return { machine, service };
}

const logOf = (folder: string, name: string) => join(folder, `${name}.log`);

/** The variables that all processes need. */
function pickEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE, CEPH } = process.env;
  return { PATH, NODE_COMPILE_CACHE, CEPH };
}
