/**
 * Simulates machines with network namespaces on this computer (Linux only, as root), each connected to a switch by a
 * cable.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Resources } from '../../processes/resources.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { Cable, PARENT_NAMESPACE } from './cable.ts';

const execute = promisify(execFile);

/** Candidates for the network. RFC 2544 reserves 198.18.0.0/15 for benchmarks. */
const SUBNETS = Array.from({ length: 256 }, (_, third) => `198.18.${third}`);
/**
 * Delays of the cables in milliseconds, in each direction. Between two machines, which are connected by two cables, a
 * round trip takes at least 2 ms, as between buildings of a data center. Between a phone and a machine it takes at least
 * 41 ms.
 */
export const CABLE_DELAY_MS = { machine: 0.5, phones: 20 } as const;

/** Runs `ip`, and returns its output. */
async function ip(...args: string[]): Promise<string> {
  return (await execute('ip', args)).stdout;
}

/** The switch that connects the machines. This process is connected too, and acts as the phones. */
export class MachineNetwork {
  /** The first three numbers of all addresses, such as `198.18.0`. */
  readonly subnet: string;
  readonly #resources: Resources;
  #machines = 0;
  #isClosed = false;

  private constructor(subnet: string, resources: Resources) {
    this.subnet = subnet;
    this.#resources = resources;
  }

  /**
   * Creates the switch and connects this process to it.
   * @throws if this process isn't allowed to create network namespaces
   */
  static async create(resources: Resources): Promise<MachineNetwork> {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) {
      throw new Error('this benchmark creates network namespaces: run it as root on Linux');
    }
    const usedAddresses = await ip('-brief', 'address');
    const subnet = SUBNETS.find((prefix) => !usedAddresses.includes(`${prefix}.`));
    if (!subnet) throw new Error('all benchmark networks are in use');
    const network = new MachineNetwork(subnet, resources);
    await resources.start(
      async () => network,
      () => network.#close(),
    );
    await network.#createSwitch();
    return network;
  }

  /** The namespace of the switch. */
  get switch(): string {
    return namespaceOf('switch');
  }

  /** True once machines can no longer be powered on. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Adds a machine, and powers it on. */
  async add(name: string): Promise<Machine> {
    this.#machines += 1;
    const machine = new Machine(this, name, this.#machines + 1);
    return this.#resources.start(
      async () => {
        await machine.powerOn();
        return machine;
      },
      () => machine.powerOff(),
    );
  }

  /** Deletes the namespaces of this process, even if a machine or the switch was only partially created. */
  async #close(): Promise<void> {
    this.#isClosed = true;
    const names = (await ip('netns', 'list')).split(/\s/);
    await Promise.all(names.filter((name) => name.startsWith(PREFIX)).map(deleteNamespace));
  }

  async #createSwitch(): Promise<void> {
    try {
      await ip('netns', 'add', this.switch);
    } catch (cause) {
      throw new Error('network namespaces are not permitted here', { cause });
    }
    // A bridge in a namespace of its own isn't subject to this computer's firewall.
    await ip('-n', this.switch, 'link', 'add', 'bridge', 'up', 'type', 'bridge');
    // The kernel limits names to 15 characters.
    const interfaceName = `linnet${process.pid}`;
    await this.#resources.start(
      () =>
        Cable.connect(CABLE_DELAY_MS.phones, [
          { namespace: PARENT_NAMESPACE, interfaceName },
          { namespace: this.switch, interfaceName: 'port1' },
        ]),
      (cable) => cable.remove(),
    );
    await ip('-n', this.switch, 'link', 'set', 'port1', 'master', 'bridge', 'up');
    await ip('address', 'add', `${this.subnet}.1/24`, 'dev', interfaceName);
    await ip('link', 'set', interfaceName, 'up');
  }
}

/** A machine. Its files and its address survive a power failure. */
export class Machine {
  readonly name: string;
  readonly address: string;
  readonly #network: MachineNetwork;
  readonly #namespace: string;
  /** The switch port that the machine is connected to. */
  readonly #port: string;
  readonly #number: number;
  #cable: Cable | null = null;

  constructor(network: MachineNetwork, name: string, number: number) {
    this.name = name;
    this.address = `${network.subnet}.${number}`;
    this.#network = network;
    this.#namespace = namespaceOf(name);
    this.#port = `port${number}`;
    this.#number = number;
  }

  /** The command prefix that runs a program on this machine. The launcher process is replaced by that program. */
  get launcher(): readonly [string, ...string[]] {
    return ['ip', 'netns', 'exec', this.#namespace];
  }

  async powerOn(): Promise<void> {
    if (this.#network.isClosed) throw new Error('the network is closed');
    const ipInside = (...args: string[]) => ip('-n', this.#namespace, ...args);
    await ip('netns', 'add', this.#namespace);
    this.#cable = await Cable.connect(CABLE_DELAY_MS.machine, [
      { namespace: this.#namespace, interfaceName: 'eth0' },
      { namespace: this.#network.switch, interfaceName: this.#port },
    ]);
    // A machine keeps its hardware address. Otherwise, the others would send to the previous one for a while.
    const hardware = `02:00:00:00:00:${this.#number.toString(16).padStart(2, '0')}`;
    await ipInside('link', 'set', 'eth0', 'address', hardware);
    await ipInside('address', 'add', `${this.address}/24`, 'dev', 'eth0');
    await ipInside('link', 'set', 'lo', 'up');
    await ipInside('link', 'set', 'eth0', 'up');
    await ip('-n', this.#network.switch, 'link', 'set', this.#port, 'master', 'bridge', 'up');
  }

  /** Cuts the power: all processes are killed at once, and their peers' connections stay open. */
  async powerOff(): Promise<void> {
    // Remove the link first, so that peers receive no packet when the processes end.
    await this.#cable?.remove();
    this.#cable = null;
    await deleteNamespace(this.#namespace);
  }

  /** Pulls the network cable. The processes continue. */
  async unplug(): Promise<void> {
    await ip('-n', this.#network.switch, 'link', 'set', this.#port, 'down');
  }

  async plugIn(): Promise<void> {
    await ip('-n', this.#network.switch, 'link', 'set', this.#port, 'up');
  }
}

/** Prefix of the names of all namespaces of this process. */
const PREFIX = `linnet-${process.pid}-`;
const namespaceOf = (name: string) => `${PREFIX}${name}`;

/** Kills all processes in a namespace and deletes it, if it exists. */
async function deleteNamespace(name: string): Promise<void> {
  const exists = (await ip('netns', 'list')).split(/\s/).includes(name);
  if (!exists) return;
  await waitUntil(`the processes in ${name} have ended`, async () => {
    const pids = (await ip('netns', 'pids', name)).split('\n').filter(Boolean).map(Number);
    for (const pid of pids) killIfRunning(pid);
    return pids.length === 0;
  });
  await ip('netns', 'delete', name);
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
