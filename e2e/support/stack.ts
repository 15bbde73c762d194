import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase } from '@linnet/server/testing/database';
import { waitForEmailedCode } from './emailed-code.ts';
import { findFreePort, findFreePorts } from './ports.ts';
import { RecorderControl } from './recorder-control.ts';
import { waitUntil } from './wait-until.ts';

/** Startup timeout in milliseconds. On an idle machine, startup takes a few seconds. */
const START_TIMEOUT_MS = 180_000;

const projectRoot = join(import.meta.dirname, '..', '..');

export type Process = 'api' | 'worker' | 'recorder';

export type StackOptions = {
  /** Speed of the recorder's radio and microphone, as a multiple of real time; 1 by default. */
  readonly speed?: number;
  /** Number of virtual recorders; 1 by default. */
  readonly recorders?: number;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The speech engine's dictionary. `small`, the default, has about 13,000 words and makes the engine four times as
   * fast as `full`, which `npm start` uses.
   */
  readonly dictionary?: 'small' | 'full';
  /**
   * The database. `shared`, the default, is a database on the tests' PostgreSQL server if it is running, which halves
   * the startup time. `embedded` is a separate PostgreSQL server, as used by `npm start`.
   */
  readonly database?: 'shared' | 'embedded';
};

/** A stack's database. Its URL is undefined if the database is embedded. */
type StackDatabase = { readonly url: string | undefined; drop(): Promise<void> };

/** A Linnet stack: the processes started by `npm start`, on free ports and with a temporary data folder. */
export class Stack {
  readonly url: string;
  readonly dataDir: string;
  /** The virtual recorders. */
  readonly recorders: readonly [RecorderControl, ...RecorderControl[]];
  readonly #supervisor: ChildProcess;
  readonly #database: StackDatabase;

  private constructor(
    supervisor: ChildProcess,
    url: string,
    dataDir: string,
    recorders: readonly [RecorderControl, ...RecorderControl[]],
    database: StackDatabase,
  ) {
    this.#supervisor = supervisor;
    this.#database = database;
    this.url = url;
    this.dataDir = dataDir;
    this.recorders = recorders;
  }

  /** The first virtual recorder. */
  get recorder(): RecorderControl {
    return this.recorders[0];
  }

  static async start({
    speed = 1,
    recorders = 1,
    env = {},
    dictionary = 'small',
    database: databaseKind = 'shared',
  }: StackOptions = {}): Promise<Stack> {
    const smallEngine = dictionary === 'small' ? process.env.E2E_SMALL_ENGINE : undefined;
    const dataDir = await mkdtemp(join(tmpdir(), 'linnet-e2e-'));
    const [port, recorderPort] = [await findFreePort(), await findFreePorts(recorders)];
    const templateUrl = databaseKind === 'shared' ? process.env.E2E_POSTGRES : undefined;
    const database: StackDatabase = templateUrl
      ? await createTestDatabase(templateUrl)
      : { url: undefined, drop: async () => undefined };
    const supervisor = spawn(process.execPath, [join(projectRoot, 'tooling', 'supervise.ts')], {
      env: {
        ...process.env,
        PORT: String(port),
        RECORDER_PORT: String(recorderPort),
        RECORDER_CONFIRM: 'auto',
        RECORDERS: String(recorders),
        DATA_DIR: dataDir,
        MODELS: 'off',
        ...(smallEngine && { ENGINES_DIR: smallEngine }),
        ...(database.url && { DATABASE_URL: database.url }),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [supervisor.stdout, supervisor.stderr]) {
      stream?.on('data', (data: Buffer) => {
        output += data.toString();
      });
    }
    const isReady = () => {
      if (supervisor.exitCode !== null) throw new Error(`Linnet did not start:\n${output}`);
      return output.includes('Linnet is ready on');
    };
    await waitUntil('Linnet is ready', isReady, START_TIMEOUT_MS);
    const createControl = (index: number) =>
      new RecorderControl(`http://127.0.0.1:${recorderPort + index}`);
    const otherRecorders = Array.from({ length: recorders - 1 }, (_, index) =>
      createControl(index + 1),
    );
    const allRecorders = [createControl(0), ...otherRecorders] as const;
    if (speed !== 1) for (const recorder of allRecorders) await recorder.setSpeed(speed);
    return new Stack(supervisor, `http://localhost:${port}`, dataDir, allRecorders, database);
  }

  /** Waits until a process is running, and returns its ID. */
  async getPid(name: Process): Promise<number> {
    const file = join(this.dataDir, 'run', `${name}.pid`);
    return waitUntil(`${name} runs`, async () => {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      return Number(text) || null;
    });
  }

  /** Kills a process, to simulate a power failure, and waits for the supervisor to restart it. */
  async kill(name: Process): Promise<void> {
    const pid = await this.getPid(name);
    process.kill(pid, 'SIGKILL');
    await waitUntil(`${name} has been restarted`, async () => (await this.getPid(name)) !== pid);
  }

  /**
   * Suspends a process.
   * @returns a handle that resumes it
   */
  async freeze(name: Process): Promise<{ thaw(): void }> {
    const pid = await this.getPid(name);
    process.kill(pid, 'SIGSTOP');
    return { thaw: () => process.kill(pid, 'SIGCONT') };
  }

  /** Waits for an email with a six-digit code, and returns the newest code sent to the address. */
  waitForEmailedCode(email: string): Promise<string> {
    return waitForEmailedCode(this.dataDir, email);
  }

  /**
   * Runs a command of the server's CLI (`npm run cli`).
   * @returns its output
   */
  async runCli(...args: readonly string[]): Promise<string> {
    const script = join(projectRoot, 'apps', 'server', 'src', 'cli.ts');
    const { url } = this.#database;
    const env = { ...process.env, DATA_DIR: this.dataDir, ...(url && { DATABASE_URL: url }) };
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env });
    return stdout;
  }

  async stop(): Promise<void> {
    if (this.#supervisor.exitCode === null) {
      this.#supervisor.kill('SIGTERM');
      await once(this.#supervisor, 'exit');
    }
    await this.#database.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
