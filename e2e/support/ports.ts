import { createServer } from 'node:net';

/** Yields consecutive TCP ports of the loopback address that were free a moment ago. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await freePort();
    const others = Array.from({ length: count - 1 }, (_, index) => freePort(first + 1 + index));
    const taken = (await Promise.allSettled(others)).some(({ status }) => status === 'rejected');
    if (!taken) return first;
  }
}

/** A TCP port of the loopback address that was free a moment ago. @param wanted that one, or none will do */
export function freePort(wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
