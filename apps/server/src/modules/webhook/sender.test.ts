import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { selfSigned } from '../../../test/certificate.ts';
import { freePort } from '../../../test/free-port.ts';
import { type Receiver, startReceiver } from '../../../test/receiver.ts';
import { createWebhookSender, type WebhookSenderOptions } from './sender.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const neverAborted = new AbortController().signal;

async function send(
  url: string,
  options: Partial<WebhookSenderOptions> = {},
  signal = neverAborted,
  messages = 1,
) {
  const sender = createWebhookSender({
    resolve: async () => ['127.0.0.1'],
    allowsPrivate: true,
    version: '1.2.3',
    ...options,
  });
  const endpoint = await sender.open(url);
  try {
    const results = [];
    for (let n = 0; n < messages; n += 1) {
      results.push(await endpoint.post({ 'webhook-id': String(n) }, '{"a":"ä"}', signal));
    }
    return results;
  } finally {
    endpoint.close();
  }
}

const responded = (status: number) => ({ kind: 'responded', status, retryAfterSeconds: null });
const failed = (failure: string) => ({ kind: 'failed', failure });

describe('a sender', () => {
  it('posts JSON, and returns the status', async () => {
    expect(await send(receiver.url)).toEqual([responded(204)]);
    const [received] = receiver.received;
    expect(received).toMatchObject({
      id: '0',
      body: '{"a":"ä"}',
      headers: { 'content-type': 'application/json', 'user-agent': 'Linnet/1.2.3' },
    });
  });

  it('resolves the host once, and connects to the checked IP address', async () => {
    let lookups = 0;
    const resolve = async () => {
      lookups += 1;
      // A second lookup would return another IP address.
      return [lookups === 1 ? '127.0.0.1' : '127.0.0.2'];
    };
    const url = `http://hooks.example:${receiver.port}/a?b=c`;
    expect(await send(url, { resolve }, neverAborted, 3)).toEqual(Array(3).fill(responded(204)));
    expect(lookups).toBe(1);
    expect(receiver.received.map(({ headers }) => headers.host)).toEqual(
      Array(3).fill(`hooks.example:${receiver.port}`),
    );
  });

  it('never connects to a private IP address unless the operator allows it', async () => {
    const connections = createServer((socket) => socket.destroy());
    let count = 0;
    connections.on('connection', () => {
      count += 1;
    });
    connections.listen(0, '127.0.0.1');
    await once(connections, 'listening');
    const { port } = connections.address() as AddressInfo;
    const options = { allowsPrivate: false };
    expect(await send(`https://hooks.example:${port}/`, options)).toEqual([failed('forbidden')]);
    expect(await send(`https://127.0.0.1:${port}/`, options)).toEqual([failed('forbidden')]);
    // The operator has forbidden plain HTTP since the webhook was created.
    expect(await send(`http://hooks.example:${port}/`, options)).toEqual([failed('forbidden')]);
    expect(count).toBe(0);
    expect(await send(`https://hooks.example:${port}/`)).toEqual([failed('connection')]);
    expect(count).toBe(1);
    connections.close();
  });

  it('does not follow redirects', async () => {
    receiver.respond = ({ headers }, response) => {
      response.writeHead(headers.host ? 302 : 500, { location: '/elsewhere' }).end();
      return null;
    };
    expect(await send(receiver.url)).toEqual([responded(302)]);
    expect(receiver.received).toHaveLength(1);
  });

  it('times out if the receiver does not respond', async () => {
    receiver.respond = () => null;
    expect(await send(receiver.url, { timeoutMs: 100 })).toEqual([failed('timeout')]);
  });

  it('fails an attempt if the receiver switches to another protocol', async () => {
    const switching = createServer((socket) => {
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
        ),
      );
    });
    switching.listen(0, '127.0.0.1');
    await once(switching, 'listening');
    const { port } = switching.address() as AddressInfo;
    expect(await send(`http://127.0.0.1:${port}/`)).toEqual([failed('connection')]);
    switching.close();
  });

  it('needs only the status of a response', async () => {
    receiver.respond = (_, response) => {
      response.writeHead(200);
      // The body never ends.
      response.write('x');
      return null;
    };
    expect(await send(receiver.url, { timeoutMs: 100 })).toEqual([responded(200)]);
  });

  it('stops reading a long response', async () => {
    let written = 0;
    receiver.respond = (_, response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) written += 64;
      };
      response.on('drain', write);
      write();
      return null;
    };
    expect(await send(receiver.url)).toEqual([responded(200)]);
    // The size of the connection's buffers, in KiB.
    expect(written).toBeLessThan(64 * 1024);
  });

  it('aborts when the worker stops', async () => {
    const stopping = new AbortController();
    receiver.respond = () => {
      stopping.abort();
      return null;
    };
    expect(await send(receiver.url, {}, stopping.signal)).toEqual([{ kind: 'aborted' }]);
  });

  it('reads when the receiver requests the next attempt', async () => {
    receiver.respond = (_, response) => {
      response.writeHead(429, { 'retry-after': '120' }).end();
      return null;
    };
    expect(await send(receiver.url)).toEqual([
      { kind: 'responded', status: 429, retryAfterSeconds: 120 },
    ]);
    receiver.respond = (_, response) => {
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      response.writeHead(503, { 'retry-after': date }).end();
      return null;
    };
    const [result] = await send(receiver.url);
    expect(result).toMatchObject({ status: 503 });
    const { retryAfterSeconds } = result as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(3500);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3600);
  });

  it('reports a refused connection, an unknown host and an invalid certificate', async () => {
    expect(await send(`http://127.0.0.1:${await freePort()}/`)).toEqual([failed('connection')]);
    const resolve = async () => Promise.reject(new Error('ENOTFOUND'));
    expect(await send('http://hooks.example/', { resolve })).toEqual([failed('unresolved')]);
    const tls = await startReceiver(selfSigned('localhost'));
    expect(await send(tls.url)).toEqual([failed('certificate')]);
    expect(tls.received).toEqual([]);
    await tls.close();
  });
});
