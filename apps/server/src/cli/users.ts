import { v7 as uuidv7 } from 'uuid';
import { createMinutes } from '../modules/minutes/service.ts';
import { CommandFailure, command, positive } from './command.ts';

export const userCommands = [
  command({
    name: 'user grant',
    about: 'give transcription minutes, or make or keep an account VIP',
    operands: { 'e-mail': 'an e-mail address' },
    options: { minutes: { value: 'n' }, 'vip-days': { value: 'n' } },
    async run({ db, now }, { 'e-mail': email }, { minutes: given, 'vip-days': vipDays }) {
      if ((given === undefined) === (vipDays === undefined)) {
        throw new CommandFailure('either --minutes or --vip-days says what to give');
      }
      const account = await db
        .selectFrom('accounts')
        .selectAll()
        .where('email', '=', email.toLowerCase())
        .executeTakeFirst();
      if (!account) throw new CommandFailure('there is no account with this e-mail address');
      if (given !== undefined) {
        const minutes = positive(given, '--minutes');
        await createMinutes({ unlimited: false, now }).grant(db, {
          accountId: account.id,
          purse: 'package',
          minutes,
          ref: `granted:${uuidv7()}`,
        });
        return `${minutes} minutes given`;
      }
      const days = positive(vipDays ?? '', '--vip-days');
      // A running VIP is extended; one that ended begins anew.
      const running = account.vip_plan === 'granted' && (account.vip_expires_at ?? now()) > now();
      const from = running && account.vip_expires_at ? account.vip_expires_at : now();
      const until = new Date(from.getTime() + days * 86_400_000);
      await db
        .updateTable('accounts')
        .set({
          vip_plan: 'granted',
          vip_started_at: running ? account.vip_started_at : now(),
          vip_expires_at: until,
        })
        .where('id', '=', account.id)
        .execute();
      return `VIP until ${until.toISOString()}`;
    },
  }),
];
