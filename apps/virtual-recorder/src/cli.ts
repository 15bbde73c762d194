/**
 * Does to a virtual recorder what its control page does: `npm run recorder -- <command>`. Ends with 1 when
 * something cannot be done, with 2 when it is written wrongly.
 */
import { parseArgs } from 'node:util';
import { type Command, commands, UsageFailure } from './cli/commands.ts';
import { CommandFailure, Remote } from './cli/remote.ts';
import { ConfigError, readConfig } from './config.ts';

const usage = ({ name, takes }: Command) => `${name} ${takes}`.trimEnd();

function help(): string {
  const lines = commands.map((command) => `\n  ${usage(command)}\n      ${command.about}\n`);
  return `Usage: npm run recorder -- <command> [--port <port>]

The recorder is the one on 127.0.0.1 at --port, else at RECORDER_PORT, else at 8090.
${lines.join('')}`;
}

async function main(args: readonly string[]): Promise<string | null> {
  const command = commands.find(({ name }) => name === args[0]);
  const asksForHelp = args.includes('--help') || args.includes('-h') || args[0] === 'help';
  if (asksForHelp) return command ? `${usage(command)}\n    ${command.about}` : help().trimEnd();
  if (!command) {
    const [wrong] = args;
    throw new UsageFailure(`${wrong ? `There is no command "${wrong}".\n\n` : ''}${help()}`);
  }
  const { values, positionals } = parseArgs({
    args: args.slice(1),
    allowPositionals: true,
    options: { port: { type: 'string' }, ...command.options },
  });
  const [least, most] = command.words;
  if (positionals.length < least || positionals.length > most) {
    throw new UsageFailure(`Usage: ${usage(command)}`);
  }
  const given = typeof values.port === 'string' ? { RECORDER_PORT: values.port } : {};
  const { port } = readConfig({ ...process.env, ...given });
  return command.run(new Remote(`http://127.0.0.1:${port}`), positionals, values);
}

/** The code to end with, and what is said; null for what is nobody's mistake. */
function sentence(error: unknown): { code: number; message: string } | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isWrittenWrongly = error instanceof UsageFailure || code?.startsWith('ERR_PARSE_ARGS');
  if (isWrittenWrongly) return { code: 2, message: error.message.trimEnd() };
  // A file or a port that cannot be had.
  const isExpected =
    error instanceof CommandFailure || error instanceof ConfigError || syscall !== undefined;
  return isExpected ? { code: 1, message: error.message } : null;
}

try {
  const said = await main(process.argv.slice(2));
  if (said !== null) process.stdout.write(`${said}\n`);
} catch (error) {
  const told = sentence(error);
  if (!told) throw error;
  process.stderr.write(`${told.message}\n`);
  process.exitCode = told.code;
}
