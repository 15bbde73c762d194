import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
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

let port: number;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'linnet-supervise-'));
  port = await findFreePort();
});

function startSupervisor(variables: NodeJS.ProcessEnv = {}): void {
  const environment = { DATA_DIR: dataDir, PORT: String(port), RECORDER_PORT: '0', ...variables };
  supervisor = spawn(process.execPath, [join(import.meta.dirname, 'supervise.ts')], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  output = '';
  for (const stream of [supervisor.stdout, supervisor.stderr]) {
    stream?.on('data', (data: Buffer) => {
      output += data.toString();
    });
  }
}
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
  startSupervisor();
  await vi.waitUntil(condition, waitOptions);
  expect(isDatabaseRunning()).toBe(true);
  const exited = once(supervisor, 'exit');
  supervisor.kill(signal);
  expect(await exited, output).toEqual([0, null]);
  expect(isDatabaseRunning()).toBe(false);
});

test('a hanging model download delays neither the start nor the stop', async () => {
  const requested: string[] = [];
  const publisher = createHttpServer((request, response) => {
    requested.push(request.url ?? '');
    response.writeHead(200, { 'content-length': 2_327_524 });
    response.write(Buffer.alloc(1000));
  }).listen(0, '127.0.0.1');
  await once(publisher, 'listening');
  const { port: publisherPort } = publisher.address() as AddressInfo;
  const MODELS_URL = `http://127.0.0.1:${publisherPort}/models`;
  startSupervisor({ MODELS: 'silero-vad', MODELS_URL });
  await vi.waitUntil(() => output.includes('Downloading the model silero-vad'), waitOptions);
  expect(requested).toEqual(['/models/silero_vad.onnx']);
  const lines = output.trim().split('\n');
  const findLine = (text: string) => lines.findIndex((line) => line.includes(text));
  expect(findLine('Linnet is ready on')).toBeGreaterThanOrEqual(0);
  expect(findLine('Downloading the model silero-vad')).toBeGreaterThan(
    findLine('Linnet is ready on'),
  );
  const readiness = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect(readiness.status).toBe(200);
  expect(await readiness.json()).toMatchObject({
    status: 'ready',
    models: { state: 'downloading', bytes: 2_327_524 },
  });
  const exited = once(supervisor, 'exit');
  supervisor.kill('SIGTERM');
  expect(await exited, output).toEqual([0, null]);
  publisher.closeAllConnections();
  publisher.close();
});
