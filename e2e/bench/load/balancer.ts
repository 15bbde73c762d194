import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The installed HAProxy, as found by `tooling/system-packages`. */
type Program = {
  readonly location: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
};

/** A load balancer in front of the API processes. */
export type Balancer = { readonly pid: number; stop(): Promise<void> };

/**
 * Starts HAProxy. It takes a process that refuses connections out at once, checks the processes every second, and repeats a
 * request only if it couldn't connect.
 * @throws if HAProxy isn't installed
 */
export async function startBalancer(
  folder: string,
  port: number,
  servers: readonly string[],
): Promise<Balancer> {
  const { program, env } = findProgram();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configure(port, servers));
  const output = openSync(join(folder, 'haproxy.log'), 'a');
  const child = spawn(program, ['-db', '-f', file], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  await once(child, 'spawn');
  return {
    pid: child.pid as number,
    stop: () => stop(child),
  };
}

function findProgram(): Program {
  const found = JSON.parse(process.env.HAPROXY ?? '{}') as Partial<Program>;
  const { location = 'missing', program, env = {} } = found;
  if (!program) throw new Error('the load benchmark needs HAProxy (npm run bench -- load)');
  return { location, program, env };
}

function configure(port: number, servers: readonly string[]): string {
  const lines = servers.map(
    (address, index) => `  server api${index} ${address} check inter 1s fall 5 rise 1`,
  );
  return `
global
  maxconn 8000
defaults
  mode http
  timeout connect 5s
  # Under load, a process may answer late.
  timeout check 10s
  # live/watch waits up to 25 seconds, and transfers may stop for a minute.
  timeout client 75s
  timeout server 75s
  option forwardfor
  option redispatch 1
  retries 3
  retry-on conn-failure
frontend public
  bind 127.0.0.1:${port}
  default_backend api
backend api
  balance leastconn
  option httpchk GET /readyz
  default-server observe layer4 error-limit 1 on-error mark-down
${lines.join('\n')}
`.trimStart();
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
