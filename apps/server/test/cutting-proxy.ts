import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface CuttingProxy {
  readonly url: string;
  /** Number of connections that were cut. */
  readonly cutCount: number;
  close(): Promise<void>;
}

/**
 * Starts a proxy that simulates an unreliable network. It resets each connection after sending the server the number of
 * bytes in the next entry of `limits`, and leaves later connections alone.
 */
export async function startCuttingProxy(
  server: URL,
  limits: readonly number[],
): Promise<CuttingProxy> {
  const openSockets = new Set<Socket>();
  const remainingLimits = [...limits];
  let cutCount = 0;
  const proxy = createServer((client) => {
    const upstream = connect(Number(server.port), server.hostname);
    let transferredBytes = 0;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      openSockets.add(socket);
      socket.on('close', () => openSockets.delete(socket));
      socket.on('error', end);
      socket.on('close', end);
    }
    upstream.pipe(client);
    client.on('data', (chunk) => {
      const [limit = Number.POSITIVE_INFINITY] = remainingLimits;
      const remainingBytes = Math.max(0, limit - transferredBytes);
      transferredBytes += chunk.length;
      if (transferredBytes < limit) {
        if (!upstream.write(chunk)) {
          client.pause();
          upstream.once('drain', () => client.resume());
        }
        return;
      }
      remainingLimits.shift();
      cutCount += 1;
      client.pause();
      upstream.write(chunk.subarray(0, remainingBytes), end);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get cutCount() {
      return cutCount;
    },
    async close() {
      for (const socket of openSockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
