import { v7 as uuidv7 } from 'uuid';
import { nextRevision } from '../db/database.ts';
import { createMinutes } from '../modules/minutes/service.ts';
import { findAccount } from '../modules/user/find-account.ts';
import { grantVipDays } from '../modules/user/vip.ts';
import { CommandFailure, command, parsePositive } from './command.ts';

export const userCommands = [
  command({
    name: 'user grant',
    description: 'grant an account transcription minutes or VIP days',
    positionals: { email: 'the email address' },
    options: { minutes: { value: 'n' }, 'vip-days': { value: 'n' } },
    async run({ db, now }, { email }, { minutes: grantedMinutes, 'vip-days': vipDays }) {
      if ((grantedMinutes === undefined) === (vipDays === undefined)) {
        throw new CommandFailure('specify either --minutes or --vip-days');
      }
      const id = await findAccount(db, email);
      if (id === null) throw new CommandFailure('there is no account with this email address');
      if (grantedMinutes !== undefined) {
        const minutes = parsePositive(grantedMinutes, '--minutes');
        await db.transaction().execute(async (trx) => {
          await nextRevision(trx, id);
          await createMinutes({ unlimited: false, now }).grant(trx, {
            accountId: id,
            source: 'package',
            minutes,
            ref: `granted:${uuidv7()}`,
          });
        });
        return `${minutes} minutes granted`;
      }
      const days = parsePositive(vipDays ?? '', '--vip-days');
      const vip = await db.transaction().execute(async (trx) => {
        await nextRevision(trx, id);
        const previousAccount = await trx
          .selectFrom('accounts')
          .select(['vip_plan', 'vip_started_at', 'vip_expires_at'])
          .select(['vip_renews', 'vip_rest_plan', 'vip_rest_seconds'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const extendedAccount = grantVipDays(previousAccount, days, now());
        await trx.updateTable('accounts').set(extendedAccount).where('id', '=', id).execute();
        return extendedAccount;
      });
      const startNote = vip.vip_rest_plan !== null ? ', which begin after the membership' : '';
      return `${days} days granted${startNote}; VIP until ${vip.vip_expires_at?.toISOString()}`;
    },
  }),
];
