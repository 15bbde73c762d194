import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { waitUntil } from '../support/wait-until.ts';

/** The installed HAProxy, as found by `tooling/system-packages`. */
type Program = {
  readonly location: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
};

/** A load balancer in front of the API processes, which are identified by their addresses. */
export type Balancer = {
  readonly pid: number;
  /** Sends no further requests to a process, so that it can stop without a failed call. */
  drain(server: string): Promise<void>;
  /** Sends requests to a process again. Resolves once it has passed a check. */
  resume(server: string): Promise<void>;
  stop(): Promise<void>;
};

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
  const socket = join(folder, 'haproxy.sock');
  await writeFile(file, configure({ address, servers, socket }));
  const output = openSync(join(folder, 'haproxy.log'), 'a');
  const [launched = program, ...args] = [...launcher, program, '-db', '-f', file];
  const child = spawn(launched, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  await once(child, 'spawn');
  const setState = (server: string, state: 'drain' | 'ready') =>
    command(socket, `set server ${nameOf(servers, server)} state ${state}`);
  return {
    pid: child.pid as number,
    drain: (server) => setState(server, 'drain'),
    async resume(server) {
      await setState(server, 'ready');
      const [backend, name] = nameOf(servers, server).split('/');
      await waitUntil(`${server} passes a check`, async () =>
        new RegExp(`^${backend},${name},.*,UP,`, 'm').test(await send(socket, 'show stat')),
      );
    },
    stop: () => stop(child),
  };
}

/** Returns the name of an API process in the configuration. */
const nameOf = (servers: readonly string[], server: string) => `api/api${servers.indexOf(server)}`;

/** Sends a command to HAProxy's administration socket. @returns the response */
async function send(socket: string, command: string): Promise<string> {
  const connection = connect(socket);
  connection.end(`${command}\n`);
  return text(connection);
}

/** Sends a command that has no output. @throws with HAProxy's message if it fails */
async function command(socket: string, line: string): Promise<void> {
  const message = (await send(socket, line)).trim();
  if (message) throw new Error(`${line}: ${message}`);
}

function findProgram(): Program {
  const found = JSON.parse(process.env.HAPROXY ?? '{}') as Partial<Program>;
  const { location = 'missing', program, env = {} } = found;
  if (!program)
    throw new Error('HAProxy is missing: run npm test or npm run bench, which install it');
  return { location, program, env };
}

type Configuration = {
  readonly address: string;
  readonly servers: readonly string[];
  /** Path of the administration socket. */
  readonly socket: string;
};

function configure({ address, servers, socket }: Configuration): string {
  const lines = servers.map(
    (server, index) => `  server api${index} ${server} check inter 1s fall 5 rise 1`,
  );
  return `
global
  maxconn 8000
  stats socket ${socket} mode 600 level admin
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
