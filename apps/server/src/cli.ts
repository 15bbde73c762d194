import { parseArgs } from 'node:util';
import { BackupFailure } from './backup/manifest.ts';
import { backupCommands } from './cli/backup.ts';
import { checkCommands } from './cli/check.ts';
import type { Command, CommandReport, Context, LocalContext } from './cli/command.ts';
import { CommandFailure } from './cli/command.ts';
import { deviceCommands } from './cli/devices.ts';
import { feedbackCommands } from './cli/feedback.ts';
import { firmwareCommands } from './cli/firmware.ts';
import { importCommands } from './cli/import.ts';
import { jobCommands } from './cli/jobs.ts';
import { migrateCommands } from './cli/migrate.ts';
import { modelCommands } from './cli/models.ts';
import { orderCommands } from './cli/orders.ts';
import { userCommands } from './cli/users.ts';
import { ConfigFailure, readConfig } from './config/index.ts';
import { migrate, openDatabase } from './db/database.ts';
import { PostgresFailure } from './embedded/failure.ts';
import { startPostgres } from './embedded/postgres.ts';
import { CallError } from './http/failure.ts';
import { ModelFailure } from './models/failure.ts';
import { FirmwareFailure } from './modules/firmware/failure.ts';
import { PaymentFailure } from './providers/payment/port.ts';
import { StorageFailure } from './providers/storage/port.ts';

/** The commands of `npm run cli -- <command>`, with which the operator manages a server. */
const commands: readonly Command[] = [
  ...deviceCommands,
  ...userCommands,
  ...orderCommands,
  ...importCommands,
  ...jobCommands,
  ...modelCommands,
  ...firmwareCommands,
  ...feedbackCommands,
  ...backupCommands,
  ...checkCommands,
  ...migrateCommands,
];

const now = () => new Date();

/** Returns the usage of the commands whose names start with the given words, or of all commands if none match. */
function help(words: readonly string[]): string {
  const matching = commands.filter(({ name }) => name.startsWith(words.join(' ')));
  const lines = (matching.length > 0 ? matching : commands).map(
    ({ usage, description: about }) => `\n  ${usage}\n      ${about}\n`,
  );
  return `Usage: npm run cli -- <command>\n${lines.join('')}`;
}

/** Finds the command named by the first words. The remaining words are its positional arguments. */
function findCommand(words: readonly string[]): {
  command: Command;
  positionals: readonly string[];
} {
  const command = commands.find(({ name }) => {
    const parts = name.split(' ');
    return parts.every((part, index) => part === words[index]);
  });
  if (!command) throw new CommandFailure(help(words.slice(0, 1)).trimEnd());
  return { command, positionals: words.slice(command.name.split(' ').length) };
}

/** Opens the configured database, or else the embedded database, starting it if it isn't running. */
async function withDatabase<Result>(
  local: LocalContext,
  database: 'migrated' | 'empty',
  onConnectionLost: (error: Error) => void,
  callback: (context: Context) => Promise<Result>,
): Promise<Result> {
  const { config } = local;
  const embedded =
    config.DATABASE_URL === undefined
      ? await startPostgres({ dataDir: config.DATA_DIR, log: () => undefined })
      : null;
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  let isDone = false;
  const { db } = openDatabase(url, (error) => {
    // Ignore the errors that the embedded database sends to open connections while shutting down.
    if (!isDone) onConnectionLost(error);
  });
  try {
    if (database === 'migrated') await migrate(db);
    return await callback({ ...local, url, db });
  } finally {
    isDone = true;
    await db.destroy();
    // Don't stop a database that was already running, because a server is using it.
    if (embedded?.startMode === 'started') await embedded.stop();
  }
}

/** Executes a command. */
async function execute(
  args: string[],
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
  onConnectionLost: (error: Error) => void,
): Promise<CommandReport> {
  const words = args.filter((word) => !word.startsWith('-'));
  if (args.length === 0) throw new CommandFailure(help([]).trimEnd());
  if (args.includes('--help') || args.includes('-h')) {
    return { text: help(words).trimEnd(), hasProblem: false };
  }
  // Each command has its own options. Until the command is known, option values can't be distinguished from other
  // words.
  const { command } = findCommand(words);
  const { values, positionals: commandWords } = parseArgs({
    args,
    allowPositionals: true,
    options: command.options,
  });
  const { positionals } = findCommand(commandWords);
  const local = { config: readConfig(environment), now, print };
  if (command.database === 'none') return command.run(local, positionals, values);
  return withDatabase(local, command.database, onConnectionLost, (context) =>
    command.run(context, positionals, values),
  );
}

/** Returns whether the error's message is enough for the operator to fix the problem. */
function isExpected(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const kinds = [
    CommandFailure,
    ConfigFailure,
    PostgresFailure,
    StorageFailure,
    BackupFailure,
    FirmwareFailure,
    ModelFailure,
    PaymentFailure,
    CallError,
  ];
  if (kinds.some((kind) => error instanceof kind)) return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // An invalid option, or a file or network address that can't be accessed.
  return code?.startsWith('ERR_PARSE_ARGS') === true || syscall !== undefined;
}

/** The streams that a command writes to. */
export interface CliStreams {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/**
 * Runs a command line.
 * @returns the exit code
 * @throws any error that the operator can't resolve
 */
export async function runCli(
  args: string[],
  environment: NodeJS.ProcessEnv,
  { stdout, stderr }: CliStreams,
): Promise<number> {
  const print = (line: string) => stdout(`${line}\n`);
  const report = (error: Error) => stderr(`${error.message}\n`);
  try {
    const { text, hasProblem } = await execute(args, environment, print, report);
    print(text);
    return hasProblem ? 1 : 0;
  } catch (error) {
    if (!isExpected(error)) throw error;
    report(error);
    return 1;
  }
}

if (import.meta.main) {
  process.exitCode = await runCli(process.argv.slice(2), process.env, {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  });
}
