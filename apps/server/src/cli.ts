import { parseArgs } from 'node:util';
import { BackupFailure } from './backup/manifest.ts';
import { backupCommands } from './cli/backup.ts';
import { checkCommands } from './cli/check.ts';
import type { Command, Context } from './cli/command.ts';
import { CommandFailure } from './cli/command.ts';
import { deviceCommands } from './cli/devices.ts';
import { feedbackCommands } from './cli/feedback.ts';
import { firmwareCommands } from './cli/firmware.ts';
import { jobCommands } from './cli/jobs.ts';
import { modelCommands } from './cli/models.ts';
import { orderCommands } from './cli/orders.ts';
import { userCommands } from './cli/users.ts';
import type { Config } from './config/index.ts';
import { ConfigFailure, readConfig } from './config/index.ts';
import { migrate, openDatabase } from './db/database.ts';
import { PostgresFailure } from './embedded/failure.ts';
import { startPostgres } from './embedded/postgres.ts';
import { CallError } from './http/failure.ts';
import { ModelFailure } from './models/failure.ts';
import { FirmwareFailure } from './modules/firmware/failure.ts';
import { PaymentFailure } from './providers/payment/port.ts';
import { StorageFailure } from './providers/storage/port.ts';

/** Operates a server: `npm run cli -- <command>`. */
const commands: readonly Command[] = [
  ...deviceCommands,
  ...userCommands,
  ...orderCommands,
  ...jobCommands,
  ...modelCommands,
  ...firmwareCommands,
  ...feedbackCommands,
  ...backupCommands,
  ...checkCommands,
];

const now = () => new Date();

/** How the commands are written that begin with these words; all, when none does. */
function help(words: readonly string[]): string {
  const begun = commands.filter(({ name }) => name.startsWith(words.join(' ')));
  const lines = (begun.length > 0 ? begun : commands).map(
    ({ usage, about }) => `\n  ${usage}\n      ${about}\n`,
  );
  return `Usage: npm run cli -- <command>\n${lines.join('')}`;
}

/** Finds the command that the first words name. */
function find(words: readonly string[]): { command: Command; operands: readonly string[] } {
  const command = commands.find(({ name }) => {
    const parts = name.split(' ');
    return parts.every((part, index) => part === words[index]);
  });
  if (!command) throw new CommandFailure(help(words.slice(0, 1)).trimEnd());
  return { command, operands: words.slice(command.name.split(' ').length) };
}

/** Runs on the configured database, or on the embedded one, which is started when it does not run. */
async function withDatabase(
  config: Config,
  database: 'migrated' | 'empty',
  use: (context: Context) => Promise<string>,
): Promise<string> {
  const embedded =
    config.DATABASE_URL === undefined
      ? await startPostgres({ dataDir: config.DATA_DIR, log: () => undefined })
      : null;
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  let done = false;
  const { db } = openDatabase(url, (error) => {
    // An embedded database that stops says farewell to connections that are being closed.
    if (!done) process.stderr.write(`${error.message}\n`);
  });
  try {
    if (database === 'migrated') await migrate(db);
    return await use({ config, url, db, now });
  } finally {
    done = true;
    await db.destroy();
    // One that ran before belongs to the server that uses it.
    if (embedded?.how === 'started') await embedded.stop();
  }
}

async function main(args: string[]): Promise<string> {
  const words = args.filter((word) => !word.startsWith('-'));
  if (args.length === 0) throw new CommandFailure(help([]).trimEnd());
  if (args.includes('--help') || args.includes('-h')) return help(words).trimEnd();
  // Before its options are known, an option's value looks like a word: the command comes first.
  const { command } = find(words);
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: command.options,
  });
  const { operands } = find(positionals);
  const config = readConfig(process.env);
  if (command.database === 'none') return command.run({ config, now }, operands, values);
  return withDatabase(config, command.database, (context) =>
    command.run(context, operands, values),
  );
}

/** Whether an error is the operator's to mend, and its message says how. */
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
  // A wrong option; a file or an address that cannot be had.
  return code?.startsWith('ERR_PARSE_ARGS') === true || syscall !== undefined;
}

try {
  process.stdout.write(`${await main(process.argv.slice(2))}\n`);
} catch (error) {
  if (!isExpected(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
