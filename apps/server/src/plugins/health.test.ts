import { rename } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeFolder } from '../../test/folder.ts';
import { openPausableProxy } from '../../test/pausable-proxy.ts';
import type { TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { openDatabase } from '../db/database.ts';
import { openQueue } from '../jobs/queue.ts';
import { writeDownloadState } from '../models/download-state.ts';
import type { ObjectStore } from '../providers/storage/port.ts';
import { installHealth } from './health.ts';

const log = pino({ level: 'silent' });

let server: TestServer;
let proxy: Awaited<ReturnType<typeof openPausableProxy>>;
let app: FastifyInstance;
let close: () => Promise<void>;
let modelsDir: string;
/** Number of times that the store was queried. */
let queries = 0;
beforeAll(async () => {
  server = await startTestServer();
  proxy = await openPausableProxy(new URL(server.databaseUrl));
  const { db } = openDatabase(proxy.url, () => undefined);
  const queue = await openQueue(proxy.url, 'api', log);
  app = fastify();
  const list: ObjectStore['list'] = (prefix) => {
    queries += 1;
    return server.store.list(prefix);
  };
  modelsDir = await makeFolder();
  installHealth(app, { db, store: { ...server.store, list }, queue, modelsDir }, log);
  close = async () => {
    await app.close();
    await queue.stop();
    await db.destroy();
    proxy.close();
  };
});
afterAll(async () => {
  await close();
  await server.close();
});

const get = (url: string) => app.inject({ method: 'GET', url });
const ms = expect.any(Number);

type Part = 'database' | 'storage' | 'queue';
type Readiness = { readonly status: string } & Readonly<Record<Part, { readonly state: string }>>;
/** Polls until readiness is as expected, because results are cached briefly. */
const waitForReadiness = (condition: (response: Readiness) => boolean) =>
  vi.waitUntil(
    async () => {
      const response = await get('/readyz');
      return condition(response.json()) ? response : null;
    },
    { timeout: 60_000 },
  );

describe('readiness', () => {
  it('lists each dependency with its response time', async () => {
    const response = await get('/readyz');
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    const part = { state: 'ready', ms };
    expect(response.json()).toEqual({
      status: 'ready',
      database: part,
      storage: part,
      queue: part,
      models: { state: 'waiting' },
    });
  });

  it('reports failed model downloads, and stays ready', async () => {
    const download = { licence: 'MIT', bytes: 100, failure: null } as const;
    await writeDownloadState(modelsDir, [
      { ...download, name: 'a', done_bytes: 100, state: 'installed' },
      { ...download, name: 'b', done_bytes: 20, state: 'failed', failure: 'content-mismatch' },
    ]);
    const response = await get('/readyz');
    expect(response.statusCode).toBe(200);
    expect(response.json().models).toEqual({
      state: 'failed',
      bytes: 200,
      done_bytes: 120,
      licenses: { a: 'MIT', b: 'MIT' },
      failures: { b: 'content-mismatch' },
    });
  });

  it('checks dependencies once for concurrent requests', async () => {
    await waitForReadiness(({ status }) => status === 'ready');
    queries = 0;
    const start = performance.now();
    const responses = await Promise.all(Array.from({ length: 50 }, () => get('/readyz')));
    expect(responses.every(({ statusCode }) => statusCode === 200)).toBe(true);
    // Results are cached for a second, so a slow machine may run a second check.
    const seconds = (performance.now() - start) / 1000;
    expect(queries).toBeLessThanOrEqual(1 + Math.floor(seconds));
  });

  it('reports an unresponsive database as late, and recovers when the database does', async () => {
    await waitForReadiness(({ status }) => status === 'ready');
    proxy.pause();
    const response = await waitForReadiness(
      ({ database, storage, queue }) =>
        database.state === 'late' && storage.state === 'ready' && queue.state === 'late',
    );
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ status: 'waiting' });
    const start = performance.now();
    expect((await get('/readyz')).statusCode).toBe(503);
    expect((await get('/healthz')).json()).toEqual({ status: 'alive' });
    expect(performance.now() - start).toBeLessThan(5000);
    proxy.resume();
    expect((await waitForReadiness(({ status }) => status === 'ready')).statusCode).toBe(200);
  });

  it('reports a missing store', async () => {
    const objects = path.join(server.config.DATA_DIR, 'objects');
    await rename(objects, `${objects}-away`);
    const response = await waitForReadiness(
      ({ database, storage }) => database.state === 'ready' && storage.state === 'failed',
    );
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ status: 'waiting' });
    await rename(`${objects}-away`, objects);
    await waitForReadiness(({ status }) => status === 'ready');
  });
});
