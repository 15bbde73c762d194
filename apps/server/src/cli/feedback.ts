import { CommandFailure, command, formatTable, parsePositive, sanitize } from './command.ts';

/** Number of entries listed by default. */
const defaultLimit = 20;

export const feedbackCommands = [
  command({
    name: 'feedback log',
    description: 'print the log attached to feedback',
    positionals: { id: 'the feedback ID' },
    async run({ db }, { id }) {
      const entries = /^[0-9a-f-]{36}$/.test(id)
        ? await db.selectFrom('feedback').select('log').where('id', '=', id).executeTakeFirst()
        : undefined;
      if (!entries) throw new CommandFailure('there is no feedback with this ID');
      if (entries.log === '') throw new CommandFailure('this feedback has no log');
      return sanitize(entries.log);
    },
  }),

  command({
    name: 'feedback',
    description: 'list feedback, newest first',
    options: { limit: { value: 'number' } },
    async run({ db }, _none, { limit }) {
      const rows = await db
        .selectFrom('feedback')
        .leftJoin('accounts', 'accounts.id', 'feedback.account_id')
        .selectAll('feedback')
        .select('email')
        .orderBy('feedback.created_at', 'desc')
        .limit(limit === undefined ? defaultLimit : parsePositive(limit, '--limit'))
        .execute();
      return formatTable(
        rows.map(({ id, created_at, kind, email, contact, log, log_key, content }) => [
          id,
          created_at.toISOString(),
          kind,
          // A contact entered with the feedback takes precedence over the account's email address.
          contact || email || 'no contact',
          log === '' && log_key === null ? '' : 'has log',
          JSON.stringify(content),
        ]),
        'no feedback',
      );
    },
  }),
];
