import { spawn } from 'node:child_process';

/** Maximum number of output characters to keep for explaining a failure. */
const OUTPUT_LIMIT = 2000;

/**
 * Runs a command without showing its output.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: Record<string, string | undefined>, timeoutMs?: number}} [options]
 * @returns {Promise<{ok: boolean, code: number | null, output: string}>} `output` is the end of the output; `code` is
 *   null if the program couldn't be started
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
    const append = (chunk) => {
      output = (output + chunk).slice(-OUTPUT_LIMIT);
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', (error) => resolve({ ok: false, code: null, output: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, code, output }));
  });
}
