import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/** Processes that are still running, to be killed after the tests. */
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Environment of every process: the search path, no automatic model downloads, and Node's compile cache, which speeds
 * up the start.
 */
export const processEnvironment = () => ({
  PATH: process.env.PATH,
  MODELS: 'off',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
});

/** Starts a script from `src` in a separate process with only the given environment. */
export function start(script: string, args: string[], environment: Record<string, string>) {
  const file = fileURLToPath(new URL(`../src/${script}`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...processEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    output.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.err += chunk;
  });
  return { child, output, exited: once(child, 'close').then(([code]) => code as number | null) };
}

/** Runs a script to completion. */
export async function run(script: string, args: string[], environment: Record<string, string>) {
  const { output, exited } = start(script, args, environment);
  return { code: await exited, ...output };
}
