import { rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { vaultFolderContract } from '@linnet/vault/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  findApache,
  startWebdav,
  type WebdavServer,
  webdavFiles,
  webdavPassword,
  webdavUser,
} from '../../../test/webdav.ts';
import { createDestinations } from '../webhook/destination.ts';
import { createWebdavFolder, parseFolderUrl, type WebdavOptions } from './webdav-folder.ts';

const options: WebdavOptions = { ...createDestinations(true), version: '1.0.0', timeoutMs: 5000 };
const access = { username: webdavUser, password: webdavPassword };
const parseUrl = (text: string) => {
  const url = parseFolderUrl(text, true);
  if (!(url instanceof URL)) throw new Error(url);
  return url;
};

// With CI=true, Apache must not be missing.
describe.skipIf(!findApache() && process.env.CI !== 'true')('Apache', () => {
  let server: WebdavServer;
  beforeAll(async () => {
    server = await startWebdav();
  });
  afterAll(() => server.stop());

  vaultFolderContract({
    test: it,
    async create() {
      const name = `vault & ${crypto.randomUUID()}`;
      const url = parseUrl(new URL(encodeURIComponent(name), server.url).href);
      const folderPath = path.join(server.folder, name);
      return {
        folder: await createWebdavFolder({ url, ...access }, options),
        edit: (file, text) => writeFile(path.join(folderPath, file), text),
        files: () => webdavFiles(server, name),
        remove: () => rm(folderPath, { recursive: true }),
      };
    },
  });

  describe('behind a proxy that removes conditions', () => {
    const proxy = createServer((request, response) => {
      const { 'if-match': _match, 'if-none-match': _none, ...headers } = request.headers;
      const { method, url: target = '/' } = request;
      const onward = sendRequest(new URL(target, server.url), { method, headers }, (upstream) => {
        response.writeHead(upstream.statusCode ?? 502, upstream.headers);
        upstream.pipe(response);
      });
      request.pipe(onward);
    });
    beforeAll(async () => {
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    });
    afterAll(async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    });
    vaultFolderContract({
      test: it,
      async create() {
        const name = crypto.randomUUID();
        const { port } = proxy.address() as AddressInfo;
        const folderPath = path.join(server.folder, name);
        const url = parseUrl(`http://127.0.0.1:${port}/${name}`);
        return {
          folder: await createWebdavFolder({ url, ...access }, options),
          edit: (file, text) => writeFile(path.join(folderPath, file), text),
          files: () => webdavFiles(server, name),
          remove: () => rm(folderPath, { recursive: true }),
        };
      },
    });
  });

  it.each([
    ['a wrong password', '', { ...access, password: 'wrong' }, 'unauthorized'],
    ['a folder in a folder that is missing', 'missing/inner', access, 'missing'],
    ['a file', 'file.md', access, 'unsupported'],
  ])('rejects %s', async (_name, place, login, code) => {
    await writeFile(path.join(server.folder, 'file.md'), 'text');
    const url = parseUrl(new URL(place, server.url).href);
    const folder = await createWebdavFolder({ url, ...login }, options);
    await expect(folder.open(true)).rejects.toMatchObject({ code });
    folder.close();
  });
});

describe('a WebDAV folder', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
  /** Starts a server that responds to all requests alike. */
  async function createFolder(respond: RequestListener, replaced: Partial<WebdavOptions> = {}) {
    const server = createServer((request, response) => {
      request.resume();
      respond(request, response);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = parseUrl(`http://127.0.0.1:${port}/dav`);
    return createWebdavFolder({ url, ...access }, { ...options, ...replaced });
  }

  it.each([
    [301, 'redirect'],
    [200, 'unsupported'],
    [401, 'unauthorized'],
    [403, 'denied'],
    [405, 'unsupported'],
    [423, 'busy'],
    [429, 'busy'],
    [500, 'failed'],
    [503, 'busy'],
    [507, 'full'],
  ])('understands the status %i', async (status, code) => {
    const folder = await createFolder((_request, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('<html>');
    });
    await expect(folder.open(true)).rejects.toMatchObject({ code });
  });

  it('lists names in any format that servers send', async () => {
    const href = (text: string, type = '') =>
      `<D:response><D:href>${text}</D:href><D:propstat><D:prop><D:resourcetype>${type}</D:resourcetype></D:prop></D:propstat></D:response>`;
    const body = `<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">${[
      href('/dav/', '<D:collection/>'),
      href('/dav/a%20%26%20b.md'),
      href('http://other.example/dav/%E4%BC%9A&#x20;&amp;.md'),
      href('/dav/inner/', '<D:collection/>'),
      href('/dav/inner/c.md'),
      href('/dav/.hidden.md'),
      href('/dav/%E0%A4%A.md'),
    ].join('')}</D:multistatus>`;
    const folder = await createFolder((_request, response) => {
      response.writeHead(207, { 'content-type': 'application/xml' }).end(body);
    });
    expect(await folder.list()).toEqual(['a & b.md', '会 &.md']);
  });

  it('quickly reads a malformed list of a megabyte, and rejects it for a single folder', async () => {
    // Quadratic time would take minutes.
    const body = '<response><href '.repeat(65_536);
    const folder = await createFolder((_request, response) => {
      response.writeHead(207).end(body);
    });
    const start = performance.now();
    expect(await folder.list()).toEqual([]);
    const one = await createFolder((_request, response) => {
      response.writeHead(207).end(`<response>${'<href '.repeat(175_000)}`);
    });
    expect(await one.list()).toEqual([]);
    expect(performance.now() - start).toBeLessThan(5000);
    await expect(folder.open(true)).rejects.toMatchObject({ code: 'failed' });
  });

  it('does not read an endless file', async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    const folder = await createFolder((_request, response) => {
      const send = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', send);
      send();
    });
    await expect(folder.read('a.md')).rejects.toMatchObject({ code: 'refused' });
  });

  it('aborts a request that takes too long, even while reading its body', async () => {
    const silentFolder = await createFolder(() => undefined, { timeoutMs: 50 });
    await expect(silentFolder.list()).rejects.toMatchObject({ code: 'timeout' });
    const slow = await createFolder((_request, response) => void response.write('a'), {
      timeoutMs: 50,
    });
    await expect(slow.read('a.md')).rejects.toMatchObject({ code: 'timeout' });
  });

  it('aborts a request when the job stops', async () => {
    const stopping = new AbortController();
    const silentFolder = await createFolder(() => stopping.abort(), {
      getSignal: () => stopping.signal,
    });
    await expect(silentFolder.list()).rejects.toMatchObject({ code: 'timeout' });
  });

  it('reports an unreachable server, and a server that closes the connection', async () => {
    const url = parseUrl('http://127.0.0.1:1/');
    const absent = await createWebdavFolder({ url, ...access }, options);
    await expect(absent.list()).rejects.toMatchObject({ code: 'connection' });
    const brokenFolder = await createFolder((request) => request.socket.destroy());
    await expect(brokenFolder.list()).rejects.toMatchObject({ code: 'connection' });
  });

  it('is not on a private network unless the operator allows it', async () => {
    for (const host of ['127.0.0.1', '10.0.0.1', '[::1]', '169.254.169.254']) {
      const guarded = { ...options, ...createDestinations(false) };
      const opening = createWebdavFolder({ url: parseUrl(`https://${host}/`), ...access }, guarded);
      await expect(opening).rejects.toMatchObject({ code: 'forbidden' });
    }
    const resolve = async () => ['192.168.0.2'];
    const opening = createWebdavFolder(
      { url: parseUrl('https://cloud.example/'), ...access },
      { ...options, resolve, allowsPrivate: false },
    );
    await expect(opening).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('must have an HTTPS URL without credentials or a query', () => {
    expect(parseFolderUrl('http://cloud.example/dav', false)).toBe('scheme');
    expect(parseFolderUrl('https://u:p@cloud.example/dav', false)).toBe('credentials');
    expect(parseFolderUrl('https://cloud.example/dav?x=1', false)).toBe('invalid');
    expect(parseFolderUrl('https://cloud.example/dav', false)).toMatchObject({
      href: 'https://cloud.example/dav/',
    });
  });
});
