import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until.ts';

/** Delay before a process that has ended is started again, in milliseconds. */
const RESTART_MS = 3000;

export type ServiceOptions = {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** File for the process's output. */
  readonly log: string;
};

/** A process that is started again whenever it ends. */
export class Service {
  readonly #options: ServiceOptions;
  readonly #stopping = new AbortController();
  readonly #supervised: Promise<void>;
  #child: ChildProcess | null = null;
  #isReady = false;
  #address: string | null = null;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#supervised = this.#supervise();
  }

  /** The process ID, or null while no process is running. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Waits until the process has reported that it is ready. @returns the address on which it listens, if any */
  async ready(): Promise<string | null> {
    await waitUntil(`${this.#options.log} is ready`, () => this.#isReady);
    return this.#address;
  }

  /** Kills the process, and resolves once its successor is ready. */
  async killAndRestart(): Promise<void> {
    this.#isReady = false;
    this.#child?.kill('SIGKILL');
    await this.ready();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill('SIGTERM');
    await this.#supervised;
  }

  async #supervise(): Promise<void> {
    const { program, args, env, log } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const output = openSync(log, 'a');
      const child = spawn(program, args, { env, stdio: ['ignore', output, output, 'ipc'] });
      closeSync(output);
      this.#child = child;
      child.on('message', (message: { ready?: true; address?: string }) => {
        this.#isReady = message.ready === true && !child.killed;
        this.#address = message.address ?? null;
      });
      await once(child, 'exit');
      this.#child = null;
      this.#isReady = false;
      if (!signal.aborted) await delay(RESTART_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
