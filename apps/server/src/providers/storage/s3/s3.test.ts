import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ObjectStore } from '../port.ts';
import { openS3Store } from './index.ts';
import { openPartsFolder } from './uploads.ts';

const storeAt = (endpoint: string) =>
  openS3Store({
    bucket: 'linnet',
    region: 'us-east-1',
    endpoint,
    accessKeyId: 'a',
    secretAccessKey: 'b',
    forcePathStyle: true,
  });
async function* body() {
  yield Buffer.from('x');
}
const operations: [string, (store: ObjectStore) => Promise<unknown>][] = [
  ['put', (store) => store.put('a/b', body(), { maxBytes: 9 })],
  ['stat', (store) => store.stat('a/b')],
  ['read', (store) => store.read('a/b')],
  ['delete', (store) => store.delete('a/b')],
  ['list', (store) => store.list('')[Symbol.asyncIterator]().next()],
];

// Behavior with a working bucket is covered by the contract suite: npm run test:s3.
describe.each(operations)('%s', (_name, run) => {
  it('fails with unavailable if the service is unreachable', async () => {
    const closedServer = createServer().listen(0, '127.0.0.1');
    await once(closedServer, 'listening');
    const { port } = closedServer.address() as AddressInfo;
    closedServer.close();
    await once(closedServer, 'close');
    await expect(run(storeAt(`http://127.0.0.1:${port}`))).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it.each([
    [500, 'InternalError', { code: 'unavailable' }],
    [503, 'SlowDown', { code: 'unavailable' }],
    [507, 'InsufficientStorage', { code: 'full' }],
  ])('translates %i %s', async (status, code, failure) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(status, { 'content-type': 'application/xml' });
        response.end(`<Error><Code>${code}</Code></Error>`);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(run(storeAt(`http://127.0.0.1:${port}`))).rejects.toMatchObject(failure);
    server.close().closeAllConnections();
  });
});

describe('openPartsFolder', () => {
  it('creates a private folder and removes the files of killed processes', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-parts-'));
    const folder = await openPartsFolder(dataDir);
    expect(path.dirname(path.dirname(folder))).toBe(dataDir);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const [stale, live] = [path.join(folder, 'stale'), path.join(folder, 'live')];
    for (const name of [stale, live]) await writeFile(name, 'x');
    const earlier = new Date(Date.now() - 2 * 3_600_000);
    await utimes(stale, earlier, earlier);
    expect(await openPartsFolder(dataDir)).toBe(folder);
    expect(await readdir(folder)).toEqual(['live']);
    await rm(dataDir, { recursive: true });
  });
});
