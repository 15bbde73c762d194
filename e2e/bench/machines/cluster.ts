import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeOpenAiKey } from '@linnet/server/testing/openai';
import { bucketVariables } from '@linnet/server/testing/s3';
import type { SpokenWord } from '@linnet/server/testing/tones';
import { type Balancer, startBalancer } from '../../processes/balancer.ts';
import type { Resources } from '../../processes/resources.ts';
import { Service } from '../../processes/service.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { UpdatableServer } from '../../updates/rehearsal.ts';
import { currentVersion } from '../../updates/versions.ts';
import { type Machine, MachineNetwork } from './network.ts';

/** Port of the API processes and of the load balancer, each on a machine of its own. */
const PORT = 8080;
const hostScripts = join(import.meta.dirname, 'hosts');

/** A machine with an API process or a worker. */
export type Host = {
  readonly machine: Machine;
  readonly role: 'api' | 'worker';
  readonly service: Service;
};

export type ClusterOptions = {
  /** The words of all recordings. */
  readonly script: readonly SpokenWord[];
  /** Number of machines for workers. */
  readonly workers: number;
  /** Stops the cluster, even if it has started only in part. */
  readonly resources: Resources;
  /** Folder of the program's version; {@link currentVersion} by default. */
  readonly version?: string;
};

/** The addresses of the services that API processes and workers use. */
type Backends = {
  readonly databaseUrl: string;
  /** Has the keys as user and password, and the bucket as path. */
  readonly storeUrl: string;
  readonly speechUrl: string;
};

/**
 * Two API hosts behind a load balancer, workers, a database, an object store and a speech recognition service, each on a
 * machine of its own.
 */
export class Cluster implements UpdatableServer {
  readonly network: MachineNetwork;
  readonly apis: Host[] = [];
  readonly workers: Host[] = [];
  readonly #options: ClusterOptions;
  readonly #folder: string;
  readonly #workerMachines: Machine[] = [];
  #balancerAddress = '';
  #balancer: Balancer | null = null;
  #backends: Backends = { databaseUrl: '', storeUrl: '', speechUrl: '' };

  private constructor(options: ClusterOptions, folder: string, network: MachineNetwork) {
    this.#options = options;
    this.#folder = folder;
    this.network = network;
  }

  /** Starts everything but the workers. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const { resources, script, workers } = options;
    const folder = await resources.start(
      () => mkdtemp(join(tmpdir(), 'linnet-machines-')),
      (path) => rm(path, { recursive: true, force: true }),
    );
    const cluster = new Cluster(options, folder, await MachineNetwork.create(resources));
    await cluster.#startBackends(script);
    await cluster.#startApis();
    for (let number = 1; number <= workers; number += 1) {
      cluster.#workerMachines.push(await cluster.network.add(`worker${number}`));
    }
    return cluster;
  }

  /** The address that phones use. */
  get url(): string {
    return `http://${this.#balancerAddress}`;
  }

  /** The database's address, for this process. */
  get databaseUrl(): string {
    return this.#backends.databaseUrl;
  }

  /** Starts workers until there are `count` of them, and waits until they are ready. */
  async startWorkers(count: number): Promise<void> {
    for (const machine of this.#workerMachines.slice(this.workers.length, count)) {
      this.workers.push(await this.#startHost(machine, 'worker'));
    }
    await Promise.all(this.workers.map(({ service }) => service.ready()));
  }

  /** Stops the last workers, so that `count` of them remain. */
  async stopWorkers(count: number): Promise<void> {
    await Promise.all(this.workers.splice(count).map(({ service }) => service.stop()));
  }

  get processes(): readonly string[] {
    return [...this.apis, ...this.workers].map(({ machine }) => machine.name);
  }

  async update(name: string, version: string): Promise<void> {
    const host = [...this.apis, ...this.workers].find(({ machine }) => machine.name === name);
    if (!host) throw new Error(`no host ${name}`);
    const { machine, role, service } = host;
    const address = `${machine.address}:${PORT}`;
    if (role === 'api') await this.#balancer?.drain(address);
    await service.stop();
    const updated = await this.#startHost(machine, role, version);
    const hosts = role === 'api' ? this.apis : this.workers;
    hosts.splice(hosts.indexOf(host), 1, updated);
    await updated.service.ready();
    if (role === 'api') await this.#balancer?.resume(address);
  }

  /** Counts the errors in the logs of API processes and workers, by reason. */
  async countErrors(): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    const machines = [...this.apis.map(({ machine }) => machine), ...this.#workerMachines];
    for (const { name } of machines) {
      const log = await readFile(this.#log(name), 'utf8').catch(() => '');
      // pino: 50 is the level `error`.
      for (const line of log.split('\n').filter((each) => /^\{"level":(50|60)/.test(each))) {
        const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } };
        const reason = err ? `${msg}: ${err.message}` : msg;
        counts[reason] = (counts[reason] ?? 0) + 1;
      }
    }
    return counts;
  }

  async #startBackends(script: readonly SpokenWord[]): Promise<void> {
    const [database, store, speech] = [
      await this.network.add('database'),
      await this.network.add('store'),
      await this.network.add('speech'),
    ];
    const scriptFile = join(this.#folder, 'script.json');
    await writeFile(scriptFile, JSON.stringify(script));
    const start = async (machine: Machine, ...args: string[]) => {
      const file = join(hostScripts, `${machine.name}.ts`);
      const service = await this.#startService(machine, [file, ...args], pickEnvironment());
      return async () => (await service.ready()) ?? '';
    };
    const [databaseUrl, storeUrl, speechUrl] = [
      await start(database, join(this.#folder, 'database'), database.address),
      await start(store, store.address),
      await start(speech, speech.address, scriptFile),
    ];
    this.#backends = {
      databaseUrl: await databaseUrl(),
      storeUrl: await storeUrl(),
      speechUrl: await speechUrl(),
    };
  }

  async #startApis(): Promise<void> {
    const balancer = await this.network.add('balancer');
    const address = `${balancer.address}:${PORT}`;
    this.#balancerAddress = address;
    for (const name of ['api1', 'api2']) {
      const host = await this.#startHost(await this.network.add(name), 'api');
      this.apis.push(host);
      // The first process migrates the database.
      await host.service.ready();
    }
    const servers = this.apis.map(({ machine }) => `${machine.address}:${PORT}`);
    const { launcher } = balancer;
    this.#balancer = await this.#options.resources.start(
      () => startBalancer({ folder: this.#folder, address, servers, launcher }),
      (running) => running.stop(),
    );
    const isReady = () =>
      fetch(`${this.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil('the load balancer responds', isReady);
  }

  /** Starts an API process or a worker. Its data folder is on its own machine. */
  async #startHost(
    machine: Machine,
    role: Host['role'],
    version = this.#options.version ?? currentVersion,
  ): Promise<Host> {
    const file = join(version, `apps/server/src/${role}.ts`);
    const machineEnvironment = {
      HOST: machine.address,
      DATA_DIR: join(this.#folder, machine.name),
    };
    const environment = { ...this.#serverEnvironment(), ...machineEnvironment };
    const service = await this.#startService(machine, [file], environment);
    return { machine, role, service };
  }

  #startService(
    machine: Machine,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
  ): Promise<Service> {
    const [program, ...launcherArgs] = machine.launcher;
    const options = {
      ...{ program, args: [...launcherArgs, process.execPath, ...args] },
      ...{ env, log: this.#log(machine.name) },
    };
    return this.#options.resources.start(
      async () => new Service(options),
      (service) => service.stop(),
    );
  }

  #log(machine: string): string {
    return join(this.#folder, `${machine}.log`);
  }

  #serverEnvironment(): NodeJS.ProcessEnv {
    const { databaseUrl, storeUrl, speechUrl } = this.#backends;
    const { origin, username, password, pathname } = new URL(storeUrl);
    return {
      ...pickEnvironment(),
      DATABASE_URL: databaseUrl,
      PORT: String(PORT),
      SECRET: secret,
      ...bucketVariables({
        ...{ endpoint: origin, bucket: pathname.slice(1), region: 'us-east-1' },
        ...{ accessKeyId: username, secretAccessKey: password, forcePathStyle: true },
      }),
      PUBLIC_URL: this.url,
      ALLOW_PLAIN_HTTP: 'true',
      TRUSTED_PROXIES: `${this.network.subnet}.0/24`,
      // Minutes are charged only if they aren't free.
      BILLING: 'sandbox',
      MODELS: 'off',
      ASR: 'openai',
      ASR_BASE_URL: speechUrl,
      ASR_API_KEY: fakeOpenAiKey,
      // Voice detection would remove the tones.
      VOICE_DETECTION: 'off',
    };
  }
}

/** The secret that all processes share. */
const secret = randomBytes(32).toString('hex');

/** Returns the variables that all processes need. */
function pickEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE, CEPH } = process.env;
  return { PATH, NODE_COMPILE_CACHE, CEPH };
}
