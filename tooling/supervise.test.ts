import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let dataDir: string;
let supervisor: ChildProcess;
let output: string;

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'linnet-supervise-'));
  const [PORT, RECORDER_PORT] = [`${await findFreePort()}`, '0'];
  supervisor = spawn(process.execPath, [join(import.meta.dirname, 'supervise.ts')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT, RECORDER_PORT },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  output = '';
  for (const stream of [supervisor.stdout, supervisor.stderr]) {
    stream?.on('data', (data: Buffer) => {
      output += data.toString();
    });
  }
});
afterEach(async () => {
  if (supervisor.exitCode === null) {
    supervisor.kill('SIGTERM');
    await once(supervisor, 'exit');
  }
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns whether PostgreSQL is running. PostgreSQL removes its pid file when it exits. */
const isDatabaseRunning = () => existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'));
const isReady = () => output.includes('Linnet is ready');
const waitOptions = { timeout: 120_000, interval: 20 };

test.each([
  ['SIGTERM during startup', 'SIGTERM', isDatabaseRunning],
  ['SIGTERM', 'SIGTERM', isReady],
  ['SIGHUP', 'SIGHUP', isReady],
] as const)('the supervisor leaves nothing running after %s', async (_when, signal, condition) => {
  await vi.waitUntil(condition, waitOptions);
  expect(isDatabaseRunning()).toBe(true);
  const exited = once(supervisor, 'exit');
  supervisor.kill(signal);
  expect(await exited, output).toEqual([0, null]);
  expect(isDatabaseRunning()).toBe(false);
});
