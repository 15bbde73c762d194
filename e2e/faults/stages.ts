/** Prepares the stages for histories. Histories share servers. */
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { script } from './recorder.ts';
import { FaultServer } from './server.ts';
import type { Stage } from './world.ts';

/** Histories per server. The limit is the number of accounts that one network may register in ten minutes. */
const HISTORIES_PER_SERVER = 40;

export class Stages {
  readonly #signal: AbortSignal;
  readonly #workers: 1 | 2;
  #server: FaultServer | null = null;
  #histories = 0;

  /** @param signal aborts the histories being played @param workers number of workers per server */
  constructor(signal: AbortSignal, workers: 1 | 2) {
    this.#signal = signal;
    this.#workers = workers;
  }

  /** Returns a clean stage for the next history. */
  async next(): Promise<Stage> {
    if (this.#histories === HISTORIES_PER_SERVER) await this.stop();
    this.#server ??= await FaultServer.start(this.#workers);
    const server = this.#server;
    this.#histories += 1;
    server.speech.script = script;
    server.speech.faults.length = 0;
    server.setDiskFull(false);
    return { server, opus: await loadOpus(readOpusWasm()), signal: this.#signal };
  }

  /** Stops the server. The next stage gets a new one. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.#histories = 0;
    await server?.stop();
  }
}
