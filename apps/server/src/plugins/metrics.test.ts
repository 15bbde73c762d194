import { codes } from '@linnet/contract/codes';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPausableProxy } from '../../test/pausable-proxy.ts';
import type { TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { toneWave, uploadRecording } from '../../test/uploads.ts';
import { openQueue } from '../jobs/queue.ts';
import { createMetrics } from '../metrics/metrics.ts';

const token = 'a token for the scraper';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ METRICS_TOKEN: token });
});
afterAll(() => server.close());

async function fetchMetrics(from = server, authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization };
  return from.app.inject({ method: 'GET', url: '/metrics', headers });
}

/** Returns the labels and values of one metric. */
async function samples(name: string): Promise<{ labels: Record<string, string>; value: number }[]> {
  const { body } = await fetchMetrics(server, `Bearer ${token}`);
  return body
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`))
    .map((line) => {
      const pairs = [...line.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]);
      return { labels: Object.fromEntries(pairs), value: Number(line.split(' ').at(-1)) };
    });
}

describe('metrics', () => {
  it('count requests by route, status and code', async () => {
    await server.call('user/login', { email: 'a@example.com', password: 'not the password' });
    await server.call('user/info', {}, { token: 'nonsense' });
    await server.call('user/info', {}, { token: 'nonsense' });
    await server.app.inject({ method: 'GET', url: '/nowhere/a-private-name' });
    const requests = await samples('linnet_requests_total');
    const findCount = (route: string, status: string, code: number | '') =>
      requests.find(
        ({ labels }) =>
          labels.route === route && labels.status === status && labels.code === String(code),
      )?.value;
    const { wrongCredentials, tokenInvalid } = codes;
    expect(findCount('/alien-user/api/user/login', '200', wrongCredentials)).toBe(1);
    expect(findCount('/alien-user/api/user/info', '200', tokenInvalid)).toBe(2);
    expect(findCount('none', '404', '')).toBe(1);
    const counts = await samples('linnet_request_seconds_count');
    expect(counts.find(({ labels }) => labels.route?.endsWith('user/info'))?.value).toBe(2);
  });

  it('count waiting jobs in the queue', async () => {
    const account = await server.register();
    const { id } = await uploadRecording(server, account, toneWave(3), { ext: 'wav' });
    await server.call('task/create', { id, language: 'en' }, { token: account.access });
    const jobs = await samples('linnet_jobs');
    const findCount = (job: string, state: string) =>
      jobs.find(({ labels }) => labels.job === job && labels.state === state)?.value;
    expect(findCount('transcribe', 'waiting')).toBe(1);
    expect(findCount('transcribe', 'active')).toBe(0);
    expect(findCount('transcribe', 'dead')).toBe(0);
    expect(findCount('housekeeping', 'waiting')).toBe(0);
    const [oldest] = (await samples('linnet_jobs_oldest_waiting_seconds')).filter(
      ({ labels }) => labels.job === 'transcribe',
    );
    expect(oldest?.value).toBeGreaterThan(0);
  });

  it("measure a job's waiting time from its scheduled start, not from its creation", async () => {
    const { db, queue } = server;
    await db.transaction().execute((trx) => queue.enqueue(trx, 'free-audio', { accountId: '1' }));
    // Created an hour ago, but due only for a minute.
    await sql`update pgboss.job set created_on = now() - interval '1 hour',
      start_after = now() - interval '1 minute' where name = 'free-audio'`.execute(db);
    const age = async () =>
      (await samples('linnet_jobs_oldest_waiting_seconds')).find(
        ({ labels }) => labels.job === 'free-audio',
      )?.value;
    expect(await age()).toBeGreaterThanOrEqual(60);
    expect(await age()).toBeLessThan(1800);
    await sql`update pgboss.job set start_after = now() + interval '1 hour'
      where name = 'free-audio'`.execute(db);
    expect(await age()).toBe(0);
  });

  it('count store operations', async () => {
    const putCount = (await samples('linnet_storage_seconds_count')).find(
      ({ labels }) => labels.operation === 'put' && labels.outcome === 'ok',
    );
    expect(putCount?.value).toBeGreaterThan(0);
  });

  it('contain no IDs, email addresses or titles', async () => {
    const { email, id } = await server.register('somebody@example.com');
    const { body } = await fetchMetrics(server, `Bearer ${token}`);
    for (const secret of [email, 'somebody', id, 'a-private-name', 'A recording', token]) {
      expect(body).not.toContain(secret);
    }
    expect(body).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });
});

describe('metrics with an unresponsive database', () => {
  it('omit only the queue', async () => {
    const proxy = await openPausableProxy(new URL(server.databaseUrl));
    const queue = await openQueue(proxy.url, 'api', pino({ level: 'silent' }));
    const metrics = createMetrics();
    const failures: unknown[] = [];
    metrics.observeQueue(queue.counts, (error) => failures.push(error));
    metrics.task('transcribed', 3);
    metrics.summary('summaryQuota');
    expect(await metrics.text()).toContain('linnet_jobs{job="transcribe",state="waiting"}');
    proxy.pause();
    const text = await metrics.text();
    expect(text).toContain('linnet_tasks_total{outcome="transcribed"} 1');
    expect(text).toContain('linnet_minutes_total 3');
    expect(text).toContain('linnet_summaries_total{outcome="summaryQuota"} 1');
    expect(text).not.toContain('linnet_jobs{');
    expect(failures).toHaveLength(1);
    proxy.resume();
    await vi.waitUntil(async () => (await metrics.text()).includes('linnet_jobs{'), {
      timeout: 60_000,
    });
    await queue.stop();
    proxy.close();
  });
});

describe('access to metrics', () => {
  it('requires the token', async () => {
    const response = await fetchMetrics(server, `Bearer ${token}`);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain('text/plain; version=0.0.4');
    for (const credentials of [undefined, 'Bearer ', 'Bearer guess', token, `Basic ${token}`]) {
      const unauthorized = await fetchMetrics(server, credentials);
      expect(unauthorized.statusCode).toBe(404);
      expect(unauthorized.body).toBe('Not found\n');
    }
  });

  it.each([
    ['allowed on loopback', {}, 200],
    ['denied behind a proxy', { PUBLIC_URL: 'https://linnet.example' }, 404],
    ['denied on a network', { HOST: '0.0.0.0', PUBLIC_URL: 'https://192.0.2.1:8080' }, 404],
  ])('without a configured token is %s', async (_, environment, status) => {
    const credentials = await startTestServer(environment);
    expect((await fetchMetrics(credentials)).statusCode).toBe(status);
    await credentials.close();
  });
});
