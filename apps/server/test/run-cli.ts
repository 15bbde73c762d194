import { runCli } from '../src/cli.ts';

/**
 * Runs a CLI command in this process, which is much faster than a separate process. Use `run` instead for commands that
 * write directly to the standard streams.
 */
export async function runCliHere(args: string[], environment: Record<string, string>) {
  const output = { out: '', err: '' };
  const code = await runCli(args, environment, {
    stdout: (text) => {
      output.out += text;
    },
    stderr: (text) => {
      output.err += text;
    },
  });
  return { code, ...output };
}
