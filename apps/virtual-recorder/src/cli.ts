/**
 * Controls a virtual recorder from the command line: `npm run recorder -- <command>`. The exit code is 1 if the command
 * fails and 2 if the arguments are invalid.
 */
import { parseArgs } from 'node:util';
import { type Command, commands, UsageFailure } from './cli/commands.ts';
import { CommandFailure, Remote } from './cli/remote.ts';
import { ConfigError, readConfig } from './config.ts';

const usage = ({ name, synopsis }: Command) => `${name} ${synopsis}`.trimEnd();

function help(): string {
  const lines = commands.map((command) => `\n  ${usage(command)}\n      ${command.description}\n`);
  return `Usage: npm run recorder -- <command> [--port <port>]

The recorder is the one on 127.0.0.1 at --port, else at RECORDER_PORT, else at 8090.
${lines.join('')}`;
}

async function main(args: readonly string[]): Promise<string | null> {
  const command = commands.find(({ name }) => name === args[0]);
  const isHelpRequested = args.includes('--help') || args.includes('-h') || args[0] === 'help';
  if (isHelpRequested)
    return command ? `${usage(command)}\n    ${command.description}` : help().trimEnd();
  if (!command) {
    const [unknownName] = args;
    throw new UsageFailure(
      `${unknownName ? `Unknown command "${unknownName}".\n\n` : ''}${help()}`,
    );
  }
  const { values, positionals } = parseArgs({
    args: args.slice(1),
    allowPositionals: true,
    options: { port: { type: 'string' }, ...command.options },
  });
  const [minimum, maximum] = command.argumentCount;
  if (positionals.length < minimum || positionals.length > maximum) {
    throw new UsageFailure(`Usage: ${usage(command)}`);
  }
  const portOverride = typeof values.port === 'string' ? { RECORDER_PORT: values.port } : {};
  const { port } = readConfig({ ...process.env, ...portOverride });
  return command.run(new Remote(`http://127.0.0.1:${port}`), positionals, values);
}

/** Returns the exit code and the message for an expected failure, or null for an unexpected error. */
function describeFailure(error: unknown): { code: number; message: string } | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isUsage = error instanceof UsageFailure || code?.startsWith('ERR_PARSE_ARGS');
  if (isUsage) return { code: 2, message: error.message.trimEnd() };
  // System errors concern a file or a port.
  const isExpected =
    error instanceof CommandFailure || error instanceof ConfigError || syscall !== undefined;
  return isExpected ? { code: 1, message: error.message } : null;
}

try {
  const output = await main(process.argv.slice(2));
  if (output !== null) process.stdout.write(`${output}\n`);
} catch (error) {
  const failure = describeFailure(error);
  if (!failure) throw error;
  process.stderr.write(`${failure.message}\n`);
  process.exitCode = failure.code;
}
