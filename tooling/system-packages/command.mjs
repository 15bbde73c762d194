import { spawn } from 'node:child_process';

/** How much of a command's output is kept to explain a failure. */
const KEPT_CHARACTERS = 2000;

/**
 * Runs a command to its end, quietly.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: Record<string, string | undefined>, timeoutMs?: number}} [options]
 * @returns {Promise<{ok: boolean, code: number | null, output: string}>}
 *   `output` is the end of what it said; a program that cannot be started has code null.
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, LC_ALL: 'C', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
    });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-KEPT_CHARACTERS);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => resolve({ ok: false, code: null, output: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, code, output }));
  });
}
