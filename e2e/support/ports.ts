import { createServer } from 'node:net';

/** Yields consecutive TCP ports of the loopback address that were free a moment ago. */
export async function findFreePorts(count: number): Promise<number> {
  for (;;) {
    const first = await findFreePort();
    const nextPorts = Array.from({ length: count - 1 }, (_, index) =>
      findFreePort(first + 1 + index),
    );
    const isAnyTaken = (await Promise.allSettled(nextPorts)).some(
      ({ status }) => status === 'rejected',
    );
    if (!isAnyTaken) return first;
  }
}

/** A TCP port of the loopback address that was free a moment ago. @param port that one, or none will do */
export function findFreePort(port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
