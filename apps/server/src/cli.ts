import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { ConfigFailure, readConfig } from './config.ts';
import type { Database } from './db/database.ts';
import { migrate, openDatabase } from './db/database.ts';
import { PostgresFailure } from './embedded/failure.ts';
import { startPostgres } from './embedded/postgres.ts';
import { openQueue } from './jobs/queue.ts';
import { createLogger } from './logging.ts';
import { registerDevices } from './modules/device/service.ts';
import { createMinutes } from './modules/minutes/service.ts';

const usage = `Usage: npm run cli -- <command>
  devices add <serial> [--name <name>] [--project <code>]   register a recorder
  devices import <file.csv>                                 register many: serial,name,project per line
  devices list                                              registered recorders, and whether they are bound
  users grant <e-mail> --minutes <n>                        give transcription minutes
  users grant <e-mail> --vip-days <n>                       make or keep an account VIP
  jobs list                                                 jobs that wait, run or failed
  jobs retry <id>                                           run a failed job again
`;

/** A command that cannot be carried out; the message is for the operator. */
class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

interface Options {
  name?: string | undefined;
  project?: string | undefined;
  minutes?: string | undefined;
  'vip-days'?: string | undefined;
}

interface Context {
  readonly db: Database;
  readonly url: string;
}

type Command = (context: Context, operands: string[], options: Options) => Promise<string>;

const commands: Readonly<Record<string, Command>> = {
  async 'devices add'({ db }, [sn], { name = '', project = '' }) {
    const serial = need(sn, 'a serial number');
    const added = await registerDevices(db, [{ sn: serial, name, projectCode: project }]);
    return added > 0 ? `${serial} is registered` : `${serial} was registered already`;
  },

  async 'devices import'({ db }, [file]) {
    const devices = parseCsv(await readFile(need(file, 'a file'), 'utf8'));
    const added = await registerDevices(db, devices);
    return `${added} registered, ${devices.length - added} were already`;
  },

  async 'devices list'({ db }) {
    const rows = await db
      .selectFrom('devices')
      .leftJoin('bindings', 'bindings.sn', 'devices.sn')
      .select(['devices.sn', 'devices.name', 'bindings.bound_at'])
      .orderBy('devices.sn')
      .execute();
    const lines = rows.map(({ sn, name, bound_at: at }) =>
      [sn, name, at ? `bound ${at.toISOString()}` : 'free'].join('\t'),
    );
    return lines.join('\n') || 'no recorder is registered';
  },

  async 'users grant'({ db }, [email], options) {
    const account = await db
      .selectFrom('accounts')
      .selectAll()
      .where('email', '=', need(email, 'an e-mail address').toLowerCase())
      .executeTakeFirst();
    if (!account) throw new CommandFailure('there is no account with this e-mail address');
    if (options.minutes !== undefined) {
      const minutes = positive(options.minutes, '--minutes');
      const ledger = createMinutes({ unlimited: false, now: () => new Date() });
      await ledger.grant(db, {
        accountId: account.id,
        purse: 'package',
        minutes,
        ref: `granted:${uuidv7()}`,
      });
      return `${minutes} minutes given`;
    }
    const days = positive(need(options['vip-days'], '--minutes or --vip-days'), '--vip-days');
    const now = new Date();
    // A running VIP is extended; one that ended begins anew.
    const running = account.vip_plan === 'granted' && (account.vip_expires_at ?? now) > now;
    const from = running && account.vip_expires_at ? account.vip_expires_at : now;
    const until = new Date(from.getTime() + days * 86_400_000);
    await db
      .updateTable('accounts')
      .set({
        vip_plan: 'granted',
        vip_started_at: running ? account.vip_started_at : now,
        vip_expires_at: until,
      })
      .where('id', '=', account.id)
      .execute();
    return `VIP until ${until.toISOString()}`;
  },

  async 'jobs list'({ url }) {
    const queue = await openQueue(url, 'api', createLogger({ LOG_LEVEL: 'warn' }, 'api'));
    try {
      const lines = (await queue.list()).map(({ id, name, state, payload, createdAt }) =>
        [id, name, state, createdAt.toISOString(), JSON.stringify(payload)].join('\t'),
      );
      return lines.join('\n') || 'no jobs wait, run or failed';
    } finally {
      await queue.stop();
    }
  },

  async 'jobs retry'({ url }, [id]) {
    const queue = await openQueue(url, 'api', createLogger({ LOG_LEVEL: 'warn' }, 'api'));
    try {
      if (await queue.retry(need(id, 'the id of a job'))) return 'the job will run again';
      throw new CommandFailure('there is no failed job with this id');
    } finally {
      await queue.stop();
    }
  },
};

function need(value: string | undefined, what: string): string {
  if (value === undefined || value === '')
    throw new CommandFailure(`${what} is missing\n\n${usage}`);
  return value;
}

function positive(text: string, option: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value <= 10_000_000) return value;
  throw new CommandFailure(`${option} takes a whole number above 0`);
}

/** Lines of serial, name, project; a first line that says `sn` or `serial` is a heading. */
function parseCsv(text: string): { sn: string; name: string; projectCode: string }[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')))
    .filter(([sn = ''], index) => sn !== '' && !(index === 0 && /^(sn|serial)/i.test(sn)))
    .map(([sn = '', name = '', projectCode = '']) => ({ sn, name, projectCode }));
}

/** Runs on the configured database, or on the embedded one, which is started when it does not run. */
async function withDatabase(use: (context: Context) => Promise<string>): Promise<string> {
  const config = readConfig(process.env);
  const embedded =
    config.DATABASE_URL === undefined
      ? await startPostgres({ dataDir: config.DATA_DIR, log: () => undefined })
      : null;
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  const { db } = openDatabase(url, (error) => process.stderr.write(`${error.message}\n`));
  try {
    await migrate(db);
    return await use({ db, url });
  } finally {
    await db.destroy();
    // One that ran before belongs to the server that uses it.
    if (embedded?.how === 'started') await embedded.stop();
  }
}

async function main(): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        project: { type: 'string' },
        minutes: { type: 'string' },
        'vip-days': { type: 'string' },
      },
    });
    const [group = '', verb = '', ...operands] = positionals;
    const command = commands[`${group} ${verb}`];
    if (!command) throw new CommandFailure(usage);
    process.stdout.write(
      `${await withDatabase((context) => command(context, operands, values))}\n`,
    );
    return 0;
  } catch (error) {
    const expected =
      error instanceof CommandFailure ||
      error instanceof ConfigFailure ||
      error instanceof PostgresFailure ||
      (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') ||
      (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!expected) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

process.exitCode = await main();
