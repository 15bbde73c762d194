import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { CallName } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { prefixes, routes } from '@linnet/contract/routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../test/server.ts';
import { startTestServer } from '../test/server.ts';
import { operation } from '../test/sync.ts';
import { outboxAddress } from './plugins/outbox.ts';

let server: TestServer;
let appFolder: string;
beforeAll(async () => {
  appFolder = await mkdtemp(path.join(tmpdir(), 'linnet-app-'));
  await mkdir(path.join(appFolder, 'assets'));
  await writeFile(path.join(appFolder, 'index.html'), '<!doctype html><title>Linnet</title>');
  await writeFile(path.join(appFolder, 'sw.js'), '// worker');
  const file = path.join(appFolder, 'assets', 'index-abc123.js');
  await writeFile(file, '// code');
  await writeFile(`${file}.br`, brotliCompressSync('// code'));
  server = await startTestServer({ APP_FOLDER: appFolder });
});
afterAll(async () => {
  await server.close();
  await rm(appFolder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'GET', url, headers });

/** Parses a content security policy into its directives. */
function parseDirectives(policy: string): Record<string, string[]> {
  return Object.fromEntries(
    policy.split(';').map((part) => {
      const [name = '', ...values] = part.trim().split(' ');
      return [name, values];
    }),
  );
}

describe('API calls', () => {
  const posts = (Object.keys(routes) as CallName[]).filter(
    (name) => routes[name].method === 'POST',
  );

  it.each(posts)('respond with HTTP 200 and the envelope to any body: %s', async (name) => {
    const { access } = await server.register();
    const headers = { authorization: `Bearer ${access}` };
    const bodies: [string, Record<string, string>, number?][] = [
      ['{"email": ', {}, codes.badRequest],
      ['[1, 2', {}, codes.badRequest],
      ['{"__proto__": {"x": 1}}', {}, codes.badRequest],
      ['email=x', { 'content-type': 'application/x-www-form-urlencoded' }, codes.badRequest],
      ['\u0000\u0001', { 'content-type': 'application/octet-stream' }, codes.badRequest],
      [JSON.stringify({ email: 'x'.repeat(2 * 1024 * 1024) }), {}, codes.tooLarge],
      // Send this body last, because a successful call may end the session.
      ['"text"', {}],
      ['null', {}],
      ['[]', {}],
      ['', {}],
    ];
    for (const [payload, extra, code] of bodies) {
      const response = await server.raw(name, payload, { ...headers, ...extra });
      expect(response.statusCode).toBe(200);
      const body = response.json();
      expect(Object.keys(body).sort()).toEqual(['code', 'data', 'msg']);
      expect(typeof body.code).toBe('number');
      if (code !== undefined) expect(body).toMatchObject({ code, data: null });
      expect(body.code).not.toBe(codes.internal);
    }
  });

  it.each(Object.values(prefixes))(
    'respond with the envelope if they are unknown: %s',
    async (prefix) => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
        const response = await server.app.inject({ method, url: `${prefix}/user/nothing` });
        expect(response.statusCode).toBe(200);
        expect(response.json()).toMatchObject({ code: codes.unknownCall, data: null });
      }
      const wrongMethod = await get(`${prefix}/user/login`);
      expect(wrongMethod.json()).toMatchObject({ code: codes.unknownCall });
    },
  );

  it('respond with the name of an invalid field', async () => {
    const { msg } = await server.call('user/login', { email: 'a@b.co', password: 5 });
    expect(msg).toMatch(/^password: /);
  });

  it('are not cached', async () => {
    const response = await server.raw('site/code', '{}');
    expect(response.headers['cache-control']).toBe('no-store');
  });
});

describe('site', () => {
  it.each(Object.values(prefixes))(
    'provides the app with its configuration under %s',
    async (prefix) => {
      const { data } = await server.call('site/config', undefined, { prefix });
      expect(data).toMatchObject({
        version: '1.0.77',
        billing: 'sandbox',
        virtual_recorder_urls: ['http://127.0.0.1:8090'],
        map_tiles: null,
        sends_mail: false,
        transcribes_ranges: true,
        dismisses_proposals: true,
        engines: { analysis: { engine: 'builtin', kind: 'extractive' } },
      });
      expect(data.engines.transcription).toEqual([
        { language: 'en', engine: 'pocketsphinx', quality: 'draft' },
      ]);
      expect(data.agreement_version).not.toBe('');
    },
  );

  it('serves its reference as OpenAPI 3.1', async () => {
    const response = await get('/api/openapi.json');
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    const { openapi, info, paths } = response.json();
    expect(openapi).toMatch(/^3\.1\./);
    expect(info.version).toBe('1.0.77');
    const { schema } = paths['/api/user/login'].post.requestBody.content['application/json'];
    expect(Object.keys(schema.properties)).toEqual(['email', 'password', 'language']);
  });

  it('has a reference page that loads only its own files', async () => {
    const page = await get('/api/docs');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toContain(
      "script-src 'self' 'wasm-unsafe-eval';",
    );
    const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, address]) => address,
    );
    const files = addresses.filter((address) => address !== 'data:,');
    expect(files).toHaveLength(3);
    for (const file of files) {
      expect(file).toMatch(/^\/api\/docs\//);
      const { statusCode, headers } = await get(String(file));
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toMatch(/^(text|application)\/(css|javascript)/);
    }
    expect(page.body).not.toMatch(/<script>|<style|style=/);
    const { body: script } = await get('/api/docs/start.js');
    expect(script).toContain("url: '/api/openapi.json'");
    expect(script).toContain('validatorUrl: null');
    for (const other of ['index.html', 'swagger-initializer.js', '../package.json']) {
      expect((await get(`/api/docs/${other}`)).json()).toMatchObject({ code: codes.unknownCall });
    }
  });

  it('reports that it is alive and ready', async () => {
    expect((await get('/healthz')).json()).toEqual({ status: 'alive' });
    expect((await get('/readyz')).json()).toMatchObject({ status: 'ready' });
  });
});

describe('response compression', () => {
  const decompress = { br: brotliDecompressSync, gzip: gunzipSync };

  it.each(['br', 'gzip'] as const)(
    'compresses a long response with %s if the client accepts it',
    async (encoding) => {
      const owner = await server.register();
      const ops = Array.from({ length: 50 }, (_, n) =>
        operation({ type: 'setting.set', group_name: 'g', config_key: `k${n}`, config_value: 'v' }),
      );
      const send = (headers: Record<string, string>) =>
        server.raw('sync/apply', JSON.stringify({ ops }), {
          authorization: `Bearer ${owner.access}`,
          ...headers,
        });
      const plainResponse = await send({});
      expect(plainResponse.headers).not.toHaveProperty('content-encoding');
      const compressed = await send({ 'accept-encoding': encoding });
      expect(compressed.headers).toMatchObject({
        'content-encoding': encoding,
        vary: expect.stringMatching(/accept-encoding/i),
      });
      expect(compressed.rawPayload.length).toBeLessThan(plainResponse.rawPayload.length / 2);
      expect(JSON.parse(decompress[encoding](compressed.rawPayload).toString())).toEqual(
        plainResponse.json(),
      );
    },
  );

  it('leaves a response that fits into one packet uncompressed', async () => {
    const response = await server.raw('user/info', '{}', { 'accept-encoding': 'br' });
    expect(response.headers).not.toHaveProperty('content-encoding');
  });
});

describe('app files', () => {
  it.each(['/', '/pages/files', '/pages/questions/question1?x=1'])(
    'serve the page at %s',
    async (url) => {
      const response = await get(url);
      expect(response.statusCode).toBe(200);
      expect(response.headers['content-type']).toContain('text/html');
      expect(response.headers['cache-control']).toBe('no-cache');
      expect(response.body).toContain('<title>Linnet</title>');
    },
  );

  it('are cached permanently if hashed, except the service worker, which is revalidated', async () => {
    const hashed = await get('/assets/index-abc123.js');
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get('/sw.js')).headers['cache-control']).toBe('no-cache');
  });

  it('are sent precompressed to clients that accept it', async () => {
    const file = '/assets/index-abc123.js';
    const compressed = await get(file, { 'accept-encoding': 'gzip, deflate, br' });
    expect(compressed.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe('// code');
    const plainResponse = await get(file);
    expect(plainResponse.headers).not.toHaveProperty('content-encoding');
    expect(plainResponse.body).toBe('// code');
  });

  it.each(['/assets/gone.js', '/nothing', '/../package.json', '/.env'])(
    'do not include %s',
    async (url) => {
      const response = await get(url);
      expect(response.statusCode).toBe(404);
      expect(response.body).not.toContain('<title>');
    },
  );

  it('have a strict content security policy', async () => {
    const policy = String((await get('/')).headers['content-security-policy']);
    expect(parseDirectives(policy)).toMatchObject({
      'default-src': ["'self'"],
      'script-src': ["'self'", "'wasm-unsafe-eval'"],
      'connect-src': [
        "'self'",
        ...['http:', 'https:'],
        ...['ws://127.0.0.1:8090', 'ws://192.168.4.1:*', 'ws://127.0.0.1:*'],
      ],
      'img-src': ["'self'", 'data:', 'blob:', 'http:', 'https:'],
      'media-src': ["'self'", 'blob:', 'http:', 'https:'],
      'worker-src': ["'self'", 'blob:'],
      'object-src': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
    expect(policy).not.toContain('unsafe-inline');
    expect(policy).not.toContain("'unsafe-eval'");
  });

  it('respond with an explanation if the app is not built', async () => {
    const serverWithoutApp = await startTestServer();
    const response = await serverWithoutApp.app.inject({ method: 'GET', url: '/' });
    expect(response.statusCode).toBe(503);
    expect(response.body).toContain('npm start');
    await serverWithoutApp.close();
  });
});

describe('CORS', () => {
  const preflight = (target: TestServer, origin: string) =>
    target.app.inject({
      method: 'OPTIONS',
      url: '/api/task/index',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });

  it('allows only native apps and configured origins', async () => {
    const corsServer = await startTestServer({ CORS_ORIGINS: 'https://app.example' });
    for (const origin of ['capacitor://localhost', 'https://localhost', 'https://app.example']) {
      const { headers } = await preflight(corsServer, origin);
      expect(headers['access-control-allow-origin']).toBe(origin);
    }
    const { headers } = await preflight(corsServer, 'https://evil.example');
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    await corsServer.close();
  });
});

describe('map tiles', () => {
  it('are included in the site configuration', async () => {
    const url = 'https://tiles.example:8443/{z}/{x}/{y}.png?key=1';
    const attribution = '© Somebody';
    const tilesServer = await startTestServer({
      MAP_TILES_URL: url,
      MAP_TILES_ATTRIBUTION: attribution,
    });
    const { data } = await tilesServer.call('site/config');
    expect(data.map_tiles).toEqual({ url, attribution });
    await tilesServer.close();
  });
});

describe('software recorders', () => {
  it('in RECORDER_URLS are listed beside the virtual recorders, and the pages may connect to them', async () => {
    const recorderServer = await startTestServer({ RECORDER_URLS: 'http://127.0.0.1:23011' });
    const { data } = await recorderServer.call('site/config');
    const named = ['http://127.0.0.1:8090', 'http://127.0.0.1:23011'];
    expect(data.virtual_recorder_urls).toEqual(named);
    const { headers } = await recorderServer.app.inject({ method: 'GET', url: '/healthz' });
    const policy = parseDirectives(String(headers['content-security-policy']));
    expect(policy['connect-src']).toContain('ws://127.0.0.1:23011');
    await recorderServer.close();
  });

  it('in RECORDER_URLS are the only recorders on a public server', async () => {
    const publicServer = await startTestServer({
      PUBLIC_URL: 'https://linnet.example',
      HOST: '0.0.0.0',
      RECORDER_URLS: 'https://recorder.example,http://192.168.0.9:80,http://127.0.0.1:23011',
    });
    const { data } = await publicServer.call('site/config');
    expect(data.virtual_recorder_urls).toEqual([
      ...['https://recorder.example', 'http://192.168.0.9', 'http://127.0.0.1:23011'],
    ]);
    const { headers } = await publicServer.app.inject({ method: 'GET', url: '/healthz' });
    const policy = parseDirectives(String(headers['content-security-policy']));
    expect(policy['connect-src']).toEqual([
      ...["'self'", 'https:', 'http://localhost:*', 'http://127.0.0.1:*', 'http://192.168.0.9'],
      ...['wss://recorder.example', 'ws://192.168.0.9', 'ws://127.0.0.1:23011'],
      'ws://192.168.4.1:*',
    ]);
    await publicServer.close();
  });
});

describe('server URLs', () => {
  it('are built from PUBLIC_URL regardless of the Host header', async () => {
    const publicServer = await startTestServer({
      PUBLIC_URL: 'https://linnet.example',
      HOST: '0.0.0.0',
    });
    const { access } = await publicServer.register();
    const body = { type: 'voice_file', ext: 'ogg' };
    const { data } = await publicServer.call('oss/config', body, { token: access });
    expect(data.uploadUrl).toBe('https://linnet.example/store/linnet');
    const { data: site } = await publicServer.call('site/config');
    expect(site.virtual_recorder_urls).toEqual([]);
    const page = await publicServer.app.inject({ method: 'GET', url: '/healthz' });
    expect(page.headers['strict-transport-security']).toContain('max-age');
    const overTls = ['https:', 'http://localhost:*', 'http://127.0.0.1:*'];
    expect(parseDirectives(String(page.headers['content-security-policy']))).toMatchObject({
      'connect-src': ["'self'", ...overTls, 'ws://192.168.4.1:*'],
      'img-src': ["'self'", 'data:', 'blob:', ...overTls],
      'media-src': ["'self'", 'blob:', ...overTls],
    });
    await publicServer.close();
  });

  it('are built from localhost without PUBLIC_URL', async () => {
    const { access } = await server.register();
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/oss/config',
      headers: { host: '192.0.2.7:8080', authorization: `Bearer ${access}` },
      payload: { type: 'voice_file', ext: 'ogg' },
    });
    expect(response.json().data.uploadUrl).toBe('http://localhost:8080/store/linnet');
  });
});

describe('X-Forwarded-For', () => {
  it('is trusted from TRUSTED_PROXIES only', async () => {
    const proxied = await startTestServer({
      PUBLIC_URL: 'https://linnet.example',
      TRUSTED_PROXIES: '10.244.0.0/16',
    });
    /** Sends feedback on behalf of eleven clients. Feedback is limited to ten messages per network. */
    const forwardEleven = async (remoteAddress: string, network: string) => {
      const results: number[] = [];
      for (let client = 1; client <= 11; client += 1) {
        const response = await proxied.app.inject({
          ...{ method: 'POST', url: '/api/site/feedback', remoteAddress },
          headers: { 'x-forwarded-for': `${network}.${client}` },
          payload: { content: 'Hello.' },
        });
        results.push(response.json().code);
      }
      return results;
    };
    expect(new Set(await forwardEleven('10.244.3.4', '198.51.100'))).toEqual(new Set([codes.ok]));
    const untrusted = await forwardEleven('10.245.3.4', '203.0.113');
    expect(untrusted.at(-1)).toBe(codes.tooManyRequests);
    await proxied.close();
  });
});

describe('Host header', () => {
  const urls = ['/', '/metrics', '/healthz', '/outbox', '/api/site/config', '/store/linnet/x'];
  const statuses = (testServer: TestServer, host: string) =>
    Promise.all(
      urls.map(async (url) => (await testServer.app.inject({ url, headers: { host } })).statusCode),
    );

  it.each(['evil.example', 'localhost.evil.example', 'evil.example:8080', 'a b', '127.0.0.1.x.io'])(
    'is rejected on every route if it names another server: %s',
    async (host) => {
      expect(new Set(await statuses(server, host))).toEqual(new Set([421]));
    },
  );

  it.each(['localhost', 'LOCALHOST:8080', '127.0.0.1:8080', '[::1]:8080', '192.0.2.7'])(
    'is accepted if it names this server: %s',
    async (host) => {
      expect(await statuses(server, host)).not.toContain(421);
    },
  );

  it('may be the public or a configured host name', async () => {
    const publicServer = await startTestServer({
      PUBLIC_URL: 'https://linnet.example:8443',
      ALLOWED_HOSTS: 'linnet, Linnet.internal',
    });
    for (const host of ['linnet.example:8443', 'linnet', 'linnet.internal:80', 'localhost']) {
      expect(await statuses(publicServer, host)).not.toContain(421);
    }
    expect(await statuses(publicServer, 'other.example')).not.toContain(200);
    await publicServer.close();
  });
});

describe('path traversal', () => {
  it.each([
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e%2f%2e%2e%2f',
    '/%',
    '/%00',
    '/assets/%c0%ae%c0%ae/x',
    '/static/firmware/%2e%2e/latest.json',
  ])('returns 404 for %s', async (url) => {
    const { statusCode, body } = await get(url);
    expect(body).not.toContain('JSON');
    expect(statusCode).toBe(404);
  });
});

describe('outbox', () => {
  it('requires its token', async () => {
    const { email } = await server.register();
    const address = new URL((await outboxAddress(server.config)) ?? '');
    expect(address.origin).toBe('http://localhost:8080');
    const token = address.searchParams.get('token') ?? '';
    const page = await get(`/outbox?token=${token}`);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain(email);
    for (const url of [
      '/outbox',
      '/outbox?token=',
      '/outbox?token=guess',
      `/outbox?token=${token}&token=x`,
    ]) {
      const rejected = await get(url);
      expect(rejected.statusCode).toBe(403);
      expect(rejected.body).not.toContain(email);
    }
    expect(server.logged.join('')).not.toContain(token);
    expect((await stat(path.join(server.config.DATA_DIR, 'outbox-token'))).mode & 0o777).toBe(
      0o600,
    );
  });
});
