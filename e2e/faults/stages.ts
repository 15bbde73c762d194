/** Prepares the stages for histories. Histories share servers. */
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { createBucket, type GatewayAccess } from '@linnet/server/testing/s3';
import { script } from './recorder.ts';
import { FaultServer } from './server.ts';
import type { Stage } from './world.ts';

/** Histories per server. The limit is the number of accounts that one network may register in ten minutes. */
const HISTORIES_PER_SERVER = 40;

export class Stages {
  readonly #signal: AbortSignal;
  readonly #workers: 1 | 2;
  readonly #gateway: Promise<GatewayAccess> | null;
  #server: FaultServer | null = null;
  #histories = 0;

  /**
   * @param signal aborts the histories being played
   * @param workers number of workers per server
   * @param gateway an S3 server for objects, or null to store them as files
   */
  constructor(signal: AbortSignal, workers: 1 | 2, gateway: Promise<GatewayAccess> | null = null) {
    this.#signal = signal;
    this.#workers = workers;
    this.#gateway = gateway;
  }

  /** Returns a clean stage for the next history. */
  async next(): Promise<Stage> {
    if (this.#histories === HISTORIES_PER_SERVER) await this.stop();
    this.#server ??= await this.#startServer();
    const server = this.#server;
    this.#histories += 1;
    server.speech.script = script;
    server.speech.faults.length = 0;
    await server.setStoreFull(false);
    return { server, opus: await loadOpus(readOpusWasm()), signal: this.#signal };
  }

  async #startServer(): Promise<FaultServer> {
    const bucket = this.#gateway && (await createBucket(await this.#gateway));
    return FaultServer.start({ workers: this.#workers, bucket });
  }

  /** Stops the server. The next stage gets a new one. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.#histories = 0;
    await server?.stop();
  }
}
