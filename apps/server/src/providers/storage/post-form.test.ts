import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { postForm } from './post-form.ts';

let folder: string;
const servers: Server[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-form-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  await rm(folder, { recursive: true });
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
async function post(address: string): Promise<void> {
  const file = path.join(folder, 'a.mp3');
  await writeFile(file, 'sound');
  await postForm(address, { key: 'a/b.mp3', policy: 'p' }, { path: file, mediaType: 'audio/mpeg' });
}
const serveResponse = (status: number, body = '', headers = {}) =>
  listen((request, response) => {
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  });

it('posts the fields first and the file last', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const address = await listen(async (request, response) => {
    resolve(await text(request));
    response.writeHead(204).end();
  });
  await post(address);
  const body = await promise;
  const names = [...body.matchAll(/; name="(\w+)"/g)].map(([, name]) => name);
  expect(names).toEqual(['key', 'policy', 'file']);
  expect(body).toContain('Content-Type: audio/mpeg\r\n\r\nsound\r\n');
});

it.each([301, 302, 303, 307, 308])('does not follow %i to another address', async (status) => {
  let requestCount = 0;
  const otherServer = await listen((_request, response) => {
    requestCount += 1;
    response.writeHead(204).end();
  });
  const address = await serveResponse(status, '', { location: otherServer });
  await expect(post(address)).rejects.toMatchObject({ code: 'refused' });
  expect(requestCount).toBe(0);
});

it('reports why it was refused, and distinguishes a refusal from a server error', async () => {
  const xml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;
  await expect(post(await serveResponse(403, xml('AccessDenied')))).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('403 AccessDenied'),
  });
  await expect(post(await serveResponse(400, xml('EntityTooLarge')))).rejects.toMatchObject({
    code: 'too-large',
  });
  await expect(post(await serveResponse(503, 'busy'))).rejects.toThrow('503');
});
