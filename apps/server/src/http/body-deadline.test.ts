import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { fastify } from 'fastify';
import { afterAll, expect, it, vi } from 'vitest';
import { installBodyDeadlines } from './body-deadline.ts';

const app = fastify();
installBodyDeadlines(app, { jsonMs: 40, idleMs: 40, bytes: 4 });
app.addContentTypeParser('application/octet-stream', (_request, body, done) => {
  body.resume();
  body.once('end', () => done(null, {}));
});
app.post('/', async () => 'taken');
const listening = app.listen({ port: 0, host: '127.0.0.1' });

afterAll(() => app.close());

/** Starts a request that declares a body of 1000 bytes, and returns its socket. */
async function startRequest(type: string) {
  await listening;
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // The server resets the connection, which is expected.
  socket.on('error', () => undefined);
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n`;
  socket.write(head);
  return socket;
}

it.each(['application/json', 'application/octet-stream', 'text/unknown'])(
  'closes the connection of a stalled %s body',
  async (type) => {
    const socket = await startRequest(type);
    const drip = setInterval(() => socket.write(' '), 20);
    socket.resume();
    await vi.waitUntil(() => socket.closed);
    clearInterval(drip);
  },
);

it('does not limit the total time of a body that makes progress', async () => {
  const socket = await startRequest('application/octet-stream');
  let response = '';
  socket.on('data', (data) => {
    response += data;
  });
  // Send a tenth of the body per period, where four bytes would be enough.
  let sent = 0;
  const flow = setInterval(() => {
    socket.write(Buffer.alloc(100));
    sent += 100;
    if (sent === 1000) clearInterval(flow);
  }, 20);
  await vi.waitUntil(() => response.includes('taken'));
  socket.destroy();
  expect(sent).toBe(1000);
});
