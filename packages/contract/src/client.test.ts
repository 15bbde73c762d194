import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
let handler: Handler = (_request, response) => response.end();
const server = createServer((request, response) => handler(request, response));
let baseUrl = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const respondWith = (body: unknown, status = 200): Handler => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (_request, response) => response.writeHead(status).end(text);
};

describe('createClient', () => {
  it('sends the body and the token to the call’s endpoint', async () => {
    const requests: unknown[] = [];
    handler = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      requests.push([request.method, request.url, request.headers.authorization, body]);
      response.end(JSON.stringify({ code: 0, msg: '', data: {} }));
    };
    const client = createClient({
      baseUrl,
      tokens: { access: () => 'A', refresh: async () => 'R' },
    });
    await client.call('user/login', { email: 'a@b.co', password: 'x' });
    await client.call('user/refreshToken');
    await client.call('task/index', { limit: 1 });
    await client.call('site/config');
    expect(requests).toEqual([
      ['POST', '/alien-user/api/user/login', undefined, '{"email":"a@b.co","password":"x"}'],
      ['POST', '/alien-user/api/user/refreshToken', 'Bearer R', '{}'],
      ['POST', '/api/task/index', 'Bearer A', '{"limit":1}'],
      ['GET', '/api/site/config', undefined, ''],
    ]);
  });

  it.each([0, '0'])('treats code %o as success', async (code) => {
    handler = respondWith({ code, msg: 'ok', data: { left_minutes: 30 } });
    const result = await createClient({ baseUrl }).call('user/leftMinute');
    expect(result).toEqual({ ok: true, data: { left_minutes: 30 } });
  });

  it.each([
    [
      respondWith({ code: 41001, msg: 'no', data: null }),
      { kind: 'server', code: 41001, msg: 'no' },
    ],
    [respondWith({ code: '40003', msg: 'no' }), { kind: 'server', code: 40003, msg: 'no' }],
    [respondWith({ code: 0 }, 201), { kind: 'http', status: 201 }],
    [respondWith('gone', 502), { kind: 'http', status: 502 }],
    [respondWith('<html>'), { kind: 'malformed' }],
    [respondWith('null'), { kind: 'malformed' }],
    [respondWith({ msg: 'x' }), { kind: 'malformed' }],
    [respondWith({ code: '' }), { kind: 'malformed' }],
    [respondWith({ code: null }), { kind: 'malformed' }],
  ] as const)('distinguishes failures (%#)', async (answer, failure) => {
    handler = answer;
    const result = await createClient({ baseUrl }).call('user/leftMinute');
    expect(result).toEqual({ ok: false, failure });
  });

  it('fails on timeout, and when the caller aborts', async () => {
    handler = () => undefined;
    const client = createClient({ baseUrl, timeoutMs: 20 });
    expect(await client.call('user/leftMinute')).toEqual({
      ok: false,
      failure: { kind: 'timeout' },
    });
    const aborted = AbortSignal.abort();
    expect(await client.call('user/leftMinute', {}, { signal: aborted })).toEqual({
      ok: false,
      failure: { kind: 'aborted' },
    });
  });

  it('reports a closed connection as a network failure', async () => {
    handler = (request) => request.destroy();
    const result = await createClient({ baseUrl }).call('user/leftMinute');
    expect(result).toMatchObject({ ok: false, failure: { kind: 'network' } });
  });

  it('renews an expired access token and retries only once', async () => {
    const tokens: (string | undefined)[] = [];
    handler = (request, response) => {
      tokens.push(request.headers.authorization);
      const isValid = request.headers.authorization === 'Bearer new';
      response.end(
        JSON.stringify(isValid ? { code: 0, data: 1 } : { code: 4200001, msg: 'expired' }),
      );
    };
    const withRenewal = (renewed: string | null) =>
      createClient({
        baseUrl,
        tokens: { access: () => 'old', refresh: () => null, renew: async () => renewed },
      });
    expect(await withRenewal('new').call('user/info')).toEqual({ ok: true, data: 1 });
    expect(tokens).toEqual(['Bearer old', 'Bearer new']);
    tokens.length = 0;
    const failure = { kind: 'server', code: 4200001, msg: 'expired' };
    expect(await withRenewal('bad').call('user/info')).toEqual({ ok: false, failure });
    expect(tokens).toEqual(['Bearer old', 'Bearer bad']);
    expect(await withRenewal(null).call('user/info')).toEqual({ ok: false, failure });
  });
});
