import { CommandFailure, command, harmless, positive, table } from './command.ts';

/** How many are listed unless told. */
const usual = 20;

export const feedbackCommands = [
  command({
    name: 'feedback log',
    about: 'the log that came with a piece of feedback',
    operands: { id: 'the id of the feedback' },
    async run({ db }, { id }) {
      const found = /^[0-9a-f-]{36}$/.test(id)
        ? await db.selectFrom('feedback').select('log').where('id', '=', id).executeTakeFirst()
        : undefined;
      if (!found) throw new CommandFailure('there is no feedback with this id');
      if (found.log === '') throw new CommandFailure('no log came with it');
      return harmless(found.log);
    },
  }),

  command({
    name: 'feedback',
    about: 'what people wrote under help and feedback, the newest first',
    options: { limit: { value: 'number' } },
    async run({ db }, _none, { limit }) {
      const rows = await db
        .selectFrom('feedback')
        .leftJoin('accounts', 'accounts.id', 'feedback.account_id')
        .selectAll('feedback')
        .select('email')
        .orderBy('feedback.created_at', 'desc')
        .limit(limit === undefined ? usual : positive(limit, '--limit'))
        .execute();
      return table(
        rows.map(({ id, created_at, kind, email, contact, log, log_key, content }) => [
          id,
          created_at.toISOString(),
          kind,
          // An account says itself where to answer; what somebody typed goes before.
          contact || email || 'nobody to answer',
          log === '' && log_key === null ? '' : 'with a log',
          JSON.stringify(content),
        ]),
        'nobody wrote anything',
      );
    },
  }),
];
