import { runCli } from '../apps/server/src/cli.ts';

/** Runs a command of the server's command-line interface that needs no database. @returns its output */
export async function readStdout(args: string[]): Promise<string> {
  let output = '';
  await runCli(
    args,
    {},
    { stdout: (text) => (output += text), stderr: (text) => (output += text) },
  );
  return output;
}
