import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort, run, start } from '../test/process.ts';
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

describe('a start with a bad value', () => {
  it.each([
    ['api.ts', { BILLING: 'cash' }, /^BILLING is not usable: .+\.\n$/],
    ['api.ts', {}, /^DATABASE_URL is missing: .+\.\n$/],
    ['worker.ts', { ASR: 'ears' }, /^ASR is not usable: .+\.\n$/],
    ['api.ts', { STORAGE: 's3' }, /^S3_BUCKET is missing: .+\.\n$/],
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
    const { child, exited, output } = start('api.ts', [], {
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
