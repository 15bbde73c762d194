import { createServer } from 'node:net';

/** Finds consecutive free TCP ports on the loopback address. @returns the first port */
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

/**
 * Finds a free TCP port on the loopback address.
 * @param port the required port, or 0 for any port
 * @throws if the required port is not free
 */
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
