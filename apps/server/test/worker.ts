import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Task } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { vi } from 'vitest';
import { processEnvironment } from './process.ts';
import type { Account, TestServer } from './server.ts';

const realWorker = new URL('../src/worker.ts', import.meta.url);

/**
 * Starts the real worker process on a test server's database, and waits until it is ready.
 * @param logged receives the worker's log lines
 * @param script an alternative entry point
 */
export async function startWorker(
  server: TestServer,
  environment: Record<string, string> = {},
  logged: string[] = [],
  script = realWorker,
): Promise<ChildProcess> {
  const worker = fork(fileURLToPath(script), {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...processEnvironment(),
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: server.config.DATA_DIR,
      ENGINES_DIR: server.config.ENGINES_DIR,
      ...environment,
    },
  });
  if (worker.stdout) createInterface(worker.stdout).on('line', (line) => logged.push(line));
  // Some tests kill the worker before it is ready.
  await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
  return worker;
}

export async function stopWorker(worker: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const exitPromise = once(worker, 'exit');
  worker.kill(signal);
  await exitPromise;
}

/** Waits until a task meets a condition. */
export async function waitForTask(
  server: TestServer,
  account: Account,
  id: string,
  condition: (task: Task) => boolean = ({ status }) => status >= taskStatus.transcribed,
  timeout = 150_000,
): Promise<Task> {
  return vi.waitUntil(
    async () => {
      const { data } = await server.call('task/detail', { id }, { token: account.access });
      return condition(data) ? data : null;
    },
    { timeout, interval: 50 },
  );
}
