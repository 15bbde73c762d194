/** Tests that `npm start` and its build leave no processes running after termination signals. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const project = join(import.meta.dirname, '..');
const waitOptions = { timeout: 120_000, interval: 20 };

let dataDir: string;
let child: ChildProcess;
let output: string;

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  output = '';
  // Use a separate process group, as a service manager would.
  const started = spawn(program, args, {
    cwd: project,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [started.stdout, started.stderr]) {
    stream?.on('data', (data: Buffer) => {
      output += data.toString();
    });
  }
  return started;
}

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const readPid = (...path: string[]) => {
  const file = join(dataDir, ...path);
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null;
};
const readDatabasePid = () => readPid('postgres', 'cluster', 'postmaster.pid');

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'linnet-start-'));
});
afterEach(async () => {
  const supervisor = readPid('run', 'start.pid');
  if (supervisor !== null && isRunning(supervisor)) {
    process.kill(supervisor, 'SIGTERM');
    await vi.waitUntil(() => !isRunning(supervisor), waitOptions);
  }
  await rm(dataDir, { recursive: true, force: true });
});

const signals = {
  'SIGTERM to npm alone': (npm: number) => process.kill(npm, 'SIGTERM'),
  'SIGTERM to the process group': (npm: number) => process.kill(-npm, 'SIGTERM'),
  'SIGKILL to npm alone': (npm: number) => process.kill(npm, 'SIGKILL'),
};

test.each(Object.keys(signals) as (keyof typeof signals)[])(
  'npm start leaves nothing running after %s',
  async (name) => {
    const PORT = `${await findFreePort()}`;
    child = start('npm', ['start'], { DATA_DIR: dataDir, PORT, RECORDER_PORT: '0' });
    await vi.waitUntil(() => output.includes('Linnet is ready'), waitOptions);
    const pids = {
      supervisor: readPid('run', 'start.pid'),
      api: readPid('run', 'api.pid'),
      worker: readPid('run', 'worker.pid'),
      database: readDatabasePid(),
    };
    const exited = once(child, 'exit');
    if (child.pid) signals[name](child.pid);
    await exited;
    // npm must exit last, because a container ends with its first process. Only a killed npm can't wait.
    if (name === 'SIGKILL to npm alone') {
      await vi.waitUntil(() => pids.supervisor && !isRunning(pids.supervisor), waitOptions);
    }
    const remaining = Object.entries(pids).filter(([, pid]) => pid === null || isRunning(pid));
    expect(remaining, output).toEqual([]);
    expect(readDatabasePid()).toBeNull();
  },
);

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'a running build ends with the script that started it (%s)',
  async (signal) => {
    const buildScript = 'console.log("pid", process.pid); setInterval(() => {}, 60_000)';
    const script = `import { runOrExit } from './tooling/project.mjs';
      await runOrExit(process.execPath, ['-e', ${JSON.stringify(buildScript)}]);`;
    child = start(process.execPath, ['--input-type=module', '-e', script], {});
    await vi.waitUntil(() => /pid \d+/.test(output), waitOptions);
    const build = Number(/pid (\d+)/.exec(output)?.[1]);
    const exited = once(child, 'exit');
    child.kill(signal);
    const [code] = await exited;
    expect(code).toBe({ SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }[signal]);
    expect(isRunning(build)).toBe(false);
  },
);
