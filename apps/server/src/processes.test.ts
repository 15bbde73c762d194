import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import type { RequestOptions as SecureOptions } from 'node:https';
import { request as secureRequest } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { codes } from '@linnet/contract/codes';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { selfSigned } from '../test/certificate.ts';
import { freePort } from '../test/free-port.ts';
import { run, start } from '../test/process.ts';
import type { TestServer } from '../test/server.ts';
import { startTestServer } from '../test/server.ts';
import { toneWave, uploadRecording } from '../test/uploads.ts';
import { readConfig } from './config/index.ts';
import { openQueue } from './jobs/queue.ts';
import { outboxAddress } from './plugins/outbox.ts';

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

describe('a process with an invalid configuration', () => {
  it.each([
    ['api.ts', { BILLING: 'cash' }, /^BILLING is invalid: .+\.\n$/],
    ['api.ts', {}, /^DATABASE_URL is required: .+\.\n$/],
    ['worker.ts', { ASR: 'ears' }, /^ASR is invalid: .+\.\n$/],
    ['api.ts', { TLS_CERT: '/no/such' }, /^TLS_KEY is required: .+\.\n$/],
    [
      'api.ts',
      { TLS_CERT: '/no/such', TLS_KEY: '/no/such', DATABASE_URL: 'postgres://127.0.0.1:1/none' },
      /^TLS_CERT is invalid: can't read \/no\/such \(ENOENT\)\.\n$/,
    ],
    ['api.ts', { STORAGE: 's3' }, /^S3_BUCKET is required when .+\.\n$/],
  ])('prints one sentence and exits: %s %o', async (script, environment, sentence) => {
    const { code, err, out } = await run(script, [], environment as Record<string, string>);
    expect(code).toBe(78);
    expect(err).toMatch(sentence);
    expect(out).toBe('');
  });
});

/** Starts an API process and waits until it responds. `get` trusts the given certificate. */
async function startApi(environment: Record<string, string> = {}, ca?: string) {
  const port = await freePort();
  const process = start('api.ts', [], {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: folder,
    PORT: String(port),
    ...environment,
  });
  const target = { host: '127.0.0.1', port, servername: 'localhost', agent: false };
  const open = (options: SecureOptions) =>
    (ca === undefined ? request : secureRequest)({ ...target, ca, ...options });
  const get = async (path: string, options: SecureOptions = {}): Promise<IncomingMessage> => {
    const outgoing = open({ path, ...options });
    outgoing.end();
    const [response] = await once(outgoing, 'response');
    return response;
  };
  await vi.waitUntil(() => get('/readyz').catch(() => null), { timeout: 60_000 });
  return { ...process, open, get };
}

async function readText(response: IncomingMessage): Promise<string> {
  return Buffer.concat(await response.toArray()).toString();
}

describe('API process', () => {
  it('serves requests and stops on SIGTERM', async () => {
    const { child, exited, output, get } = await startApi();
    const ready = JSON.parse(await readText(await get('/readyz')));
    expect(ready).toMatchObject({ status: 'ready', queue: { state: 'ready' } });
    const metrics = await readText(await get('/metrics'));
    for (const name of [
      'nodejs_eventloop_lag_seconds',
      'linnet_database_connections{state="idle"}',
    ])
      expect(metrics).toContain(name);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(output.err).toBe('');
    for (const line of output.out.trim().split('\n'))
      expect(JSON.parse(line)).toHaveProperty('role');
  });

  it('finishes requests in progress before it stops, and accepts no new requests', async () => {
    const { child, exited, open, get } = await startApi();
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'not the password' });
    const outgoing = open({
      method: 'POST',
      path: '/api/user/login',
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.write(body.slice(0, 10));
    child.kill('SIGTERM');
    await vi.waitUntil(
      () =>
        get('/healthz').then(
          () => false,
          (error) => error.code === 'ECONNREFUSED',
        ),
      { timeout: 60_000 },
    );
    outgoing.end(body.slice(10));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(await readText(response))).toMatchObject({ code: codes.wrongCredentials });
    expect(await exited).toBe(0);
  });

  it('serves HTTPS and reloads the certificate on SIGHUP', async () => {
    const [certificate, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
    const install = async (pair: { cert: string; key: string }) => {
      await writeFile(certificate, pair.cert);
      await writeFile(key, pair.key);
    };
    const [first, second] = [selfSigned('localhost'), selfSigned('localhost')];
    await install(first);
    const environment = { TLS_CERT: certificate, TLS_KEY: key };
    const { child, exited, output, get } = await startApi(environment, first.cert);
    const isTrusted = async (ca: string) => {
      const { socket } = await get('/healthz', { ca });
      return (socket as TLSSocket).authorized;
    };
    const outbox = new URL(
      (await outboxAddress(readConfig({ ...environment, DATA_DIR: folder }))) ?? '',
    );
    expect(outbox.origin).toBe('https://localhost:8080');

    await install({ ...second, key: first.key });
    child.kill('SIGHUP');
    await vi.waitUntil(() => output.out.includes('certificate reload failed'), {
      timeout: 60_000,
    });
    expect(await isTrusted(first.cert)).toBe(true);

    await install(second);
    child.kill('SIGHUP');
    await vi.waitUntil(() => output.out.includes('certificate reloaded'), {
      timeout: 60_000,
    });
    expect(await isTrusted(second.cert)).toBe(true);
    await expect(isTrusted(first.cert)).rejects.toThrow('self-signed');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});

describe('worker process', () => {
  it('serves health and metrics on METRICS_PORT', async () => {
    const port = await freePort();
    const { child, exited } = start('worker.ts', [], {
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: folder,
      METRICS_PORT: String(port),
      METRICS_TOKEN: 'the token of the scraper',
    });
    const get = (name: string, headers = {}) =>
      fetch(`http://127.0.0.1:${port}${name}`, { headers });
    await vi.waitUntil(() => get('/readyz').catch(() => null), { timeout: 60_000 });
    expect(await (await get('/readyz')).json()).toMatchObject({ status: 'ready' });
    expect((await get('/metrics')).status).toBe(404);
    const headers = { authorization: 'Bearer the token of the scraper' };
    const account = await server.register();
    const { id } = await uploadRecording(server, account, toneWave(1.9), { ext: 'wav' });
    await server.call('task/create', { id, language: 'en' }, { token: account.access });
    const text = await vi.waitUntil(
      async () => {
        const metrics = await (await get('/metrics', headers)).text();
        return metrics.includes('linnet_job_seconds_count{job="transcribe"') ? metrics : null;
      },
      { timeout: 60_000, interval: 100 },
    );
    for (const line of [
      'linnet_job_seconds_count{job="transcribe",outcome="completed"} 1',
      // The worker can't find the file, because this test's API stores objects elsewhere.
      'linnet_tasks_total{outcome="objectMissing"} 1',
      'linnet_minutes_total 0',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).toMatch(/^linnet_storage_seconds_count\{operation="stat",outcome="ok"\} \d+$/m);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});

describe('the job queue', () => {
  it('rejects missing handlers', async () => {
    const queue = await openQueue(server.databaseUrl, 'worker', pino({ level: 'silent' }));
    const partial = { transcribe: async () => undefined } as never;
    await expect(queue.work(partial)).rejects.toThrow('transcribe.given-up');
    await queue.stop();
  });
});
