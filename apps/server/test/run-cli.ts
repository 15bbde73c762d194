import { runCli } from '../src/cli.ts';

/**
 * Runs a CLI command in this process, which takes a fraction of the time that a separate process would. A command that
 * writes to the standard streams itself needs `run` instead.
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
