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

export type BalancerOptions = {
  /** Folder for its configuration and its log. */
  readonly folder: string;
  /** Address and port to listen on. */
  readonly address: string;
  /** Addresses and ports of the API processes. */
  readonly servers: readonly string[];
  /** A command that runs the program given as its remaining arguments, for example on another machine. */
  readonly launcher?: readonly string[];
};

/**
 * Starts HAProxy. It immediately takes a process that refuses connections out of rotation, checks the processes every
 * second, and retries a request only if it couldn't connect.
 * @throws if HAProxy isn't installed
 */
export async function startBalancer({
  folder,
  address,
  servers,
  launcher = [],
}: BalancerOptions): Promise<Balancer> {
  const { program, env } = findProgram();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configure(address, servers));
  const output = openSync(join(folder, 'haproxy.log'), 'a');
  const [command = program, ...args] = [...launcher, program, '-db', '-f', file];
  const child = spawn(command, args, {
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
  if (!program) throw new Error('HAProxy is missing: start the benchmark with npm run bench');
  return { location, program, env };
}

function configure(address: string, servers: readonly string[]): string {
  const lines = servers.map(
    (server, index) => `  server api${index} ${server} check inter 1s fall 5 rise 1`,
  );
  return `
global
  maxconn 8000
defaults
  mode http
  timeout connect 5s
  # Under load, a process may answer late.
  timeout check 10s
  # live/watch waits up to 25 seconds, and transfers may stall for a minute.
  timeout client 75s
  timeout server 75s
  option forwardfor
  option redispatch 1
  retries 3
  retry-on conn-failure
frontend public
  bind ${address}
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
