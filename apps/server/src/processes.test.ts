import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TestServer } from '../test/server.ts';
import { startTestServer } from '../test/server.ts';
import { openQueue } from './jobs/queue.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-process-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

function start(script: string, args: string[], environment: Record<string, string>) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    output.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.err += chunk;
  });
  return { child, output, exited: once(child, 'close').then(([code]) => code as number | null) };
}

async function run(script: string, args: string[], environment: Record<string, string>) {
  const { output, exited } = start(script, args, environment);
  return { code: await exited, ...output };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

describe('a start with a bad value', () => {
  it.each([
    ['./api.ts', { BILLING: 'cash' }, /^BILLING is not usable: .+\.\n$/],
    ['./api.ts', {}, /^DATABASE_URL is missing: .+\.\n$/],
    ['./worker.ts', { ASR: 'ears' }, /^ASR is not usable: .+\.\n$/],
    ['./api.ts', { STORAGE: 's3' }, /^STORAGE is not usable: .*later version\.\n$/],
  ])('of %s ends with one sentence (%o)', async (script, environment, sentence) => {
    const { code, err, out } = await run(script, [], environment as Record<string, string>);
    expect(code).toBe(78);
    expect(err).toMatch(sentence);
    expect(out).toBe('');
  });
});

describe('the API process', () => {
  it('answers when ready, and stops on SIGTERM', async () => {
    const port = await freePort();
    const { child, exited, output } = start('./api.ts', [], {
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: folder,
      PORT: String(port),
    });
    const ready = await vi.waitUntil(
      () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null),
      { timeout: 15_000 },
    );
    expect(await ready.json()).toMatchObject({ status: 'ready' });
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(output.err).toBe('');
    for (const line of output.out.trim().split('\n'))
      expect(JSON.parse(line)).toHaveProperty('role');
  });
});

describe('the queue', () => {
  it('does not begin to work when a job has no handler', async () => {
    const queue = await openQueue(server.databaseUrl, 'worker', pino({ level: 'silent' }));
    const partial = { transcribe: async () => undefined } as never;
    await expect(queue.work(partial)).rejects.toThrow('transcribe.given-up');
    await queue.stop();
  });
});

describe('the command line', () => {
  const cli = (...args: string[]) =>
    run('./cli.ts', args, { DATABASE_URL: server.databaseUrl, DATA_DIR: folder });

  it('registers recorders, one by one and from a list', async () => {
    expect(await cli('devices', 'add', 'CLI-1', '--name', 'Desk')).toMatchObject({
      code: 0,
      out: 'CLI-1 is registered\n',
    });
    expect((await cli('devices', 'add', 'CLI-1')).out).toBe('CLI-1 was registered already\n');
    const list = path.join(folder, 'devices.csv');
    await writeFile(list, '\uFEFFserial,name\r\nCLI-1,again\r\n"CLI-2",Kitchen\r\n\r\nCLI-3\r\n');
    expect((await cli('devices', 'import', list)).out).toBe('2 registered, 1 were already\n');
    const { out } = await cli('devices', 'list');
    expect(out).toBe('CLI-1\tDesk\tfree\nCLI-2\tKitchen\tfree\nCLI-3\t\tfree\n');
  });

  it('gives minutes and VIP', async () => {
    const { email, access } = await server.register();
    expect((await cli('users', 'grant', email, '--minutes', '120')).out).toBe(
      '120 minutes given\n',
    );
    expect((await cli('users', 'grant', email, '--vip-days', '10')).code).toBe(0);
    expect((await cli('users', 'grant', email, '--vip-days', '10')).code).toBe(0);
    const { data } = await server.call('user/info', {}, { token: access });
    expect(data).toMatchObject({ is_vip: true, vip_plan: 'granted', left_minutes: 1350 });
    const days = (Date.parse(data.vip_expires_at ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(19.9);
  });

  it.each([
    [['users', 'grant', 'nobody@example.com', '--minutes', '5'], 'there is no account'],
    [['users', 'grant', 'nobody@example.com', '--minutes', '-5'], ''],
    [['devices', 'add'], 'a serial number is missing'],
    [['jobs', 'retry', crypto.randomUUID()], 'there is no failed job'],
    [['nothing'], 'Usage:'],
    [[], 'Usage:'],
    [['devices', 'import', '/no/such/file'], 'no such file'],
  ])('says what is wrong with %o', async (args, words) => {
    const { code, err, out } = await cli(...args);
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(err).not.toContain('    at ');
    expect(out).toBe('');
  });

  it('lists jobs that wait, and says when there are none', async () => {
    expect((await cli('jobs', 'list')).out).toBe('no jobs wait, run or failed\n');
  });
});
