import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ObjectStore } from '../port.ts';
import { openS3Store } from './index.ts';

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

// What a bucket does when it answers is told by the contract suite: npm run test:s3.
describe.each(operations)('%s', (_name, run) => {
  it('says so when the service is not there', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
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
