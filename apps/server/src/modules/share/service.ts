import { randomUUID } from 'node:crypto';
import type { CallData, CallInput } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { dayMs } from '../../calendar.ts';
import { type Database, lockAccount, type Row, type Transaction } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { CallError } from '../../http/failure.ts';
import { getRecording } from '../recording/service.ts';
import { hasAudio } from '../recording/stored-audio.ts';
import { displayName } from '../recording/view.ts';
import { hashPassword, isStrongEnough } from '../user/passwords.ts';
import { isVip } from '../user/vip.ts';
import type { ShareAddresses } from './address.ts';

/** Creates, lists and revokes an account's share links. */
export interface Shares {
  /**
   * Creates a link to a recording.
   * @throws CallError membersOnly, notFound, weakPassword, limitReached; notUploaded if the audio should be shared but
   *   isn't stored
   */
  create(
    account: Row<'accounts'>,
    body: CallInput<'share/create'>,
    origin: string,
  ): Promise<CallData<'share/create'>>;
  /** Lists the links of an account or of one of its recordings, newest first. */
  list(
    accountId: string,
    query: CallInput<'share/index'>,
    origin: string,
  ): Promise<CallData<'share/index'>>;
  /**
   * Deletes a link.
   * @throws CallError notFound
   */
  revoke(accountId: string, id: string): Promise<void>;
}

export interface SharesDependencies {
  readonly db: Database;
  readonly addresses: ShareAddresses;
  /** Whether all features are free. */
  readonly isFree: boolean;
  readonly now: () => Date;
}

/** How long an expired link remains in the list, so its views can still be seen. */
export const expiredLinkDays = 30;

export function createShares({ db, addresses, isFree, now }: SharesDependencies): Shares {
  /**
   * Ensures that the account can have another link. Deletes expired links if necessary.
   * @throws CallError limitReached
   */
  async function requireCapacity(trx: Transaction, accountId: string): Promise<void> {
    const countLinks = async () => {
      const { count } = await trx
        .selectFrom('share_links')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return count;
    };
    if ((await countLinks()) < limits.shares.count) return;
    await trx
      .deleteFrom('share_links')
      .where('account_id', '=', accountId)
      .where('expires_at', '<=', now())
      .execute();
    if ((await countLinks()) < limits.shares.count) return;
    throw new CallError(
      'limitReached',
      `An account can have at most ${limits.shares.count} share links. Delete a link first.`,
    );
  }

  return {
    async create(account, { id: recordingId, parts, expires_days: days, password }, origin) {
      if (!isFree && !isVip(account, now())) throw new CallError('membersOnly');
      // Check the recording before hashing the password, which is slow.
      const recording = await getRecording(db, account.id, recordingId);
      if (recording.is_del === 1) throw new CallError('notFound');
      if (parts.includes('audio') && !hasAudio(recording)) throw new CallError('notUploaded');
      if (password !== undefined && !isStrongEnough(password, account.email)) {
        throw new CallError('weakPassword');
      }
      const passwordHash = password === undefined ? null : await hashPassword(password);
      const id = randomUUID();
      await db.transaction().execute(async (trx) => {
        await lockAccount(trx, account.id);
        // The recording may have been deleted while the password was being hashed.
        await getRecording(trx, account.id, recordingId);
        await requireCapacity(trx, account.id);
        await trx
          .insertInto('share_links')
          .values({
            id,
            account_id: account.id,
            recording_id: recording.id,
            parts: JSON.stringify(parts),
            password_hash: passwordHash,
            created_at: now(),
            expires_at: days === undefined ? null : new Date(now().getTime() + days * dayMs),
          })
          .execute();
      });
      return { id, url: addresses.createUrl(id, origin) };
    },

    async list(accountId, { id: recordingId, limit, page }, origin) {
      if (recordingId !== undefined && !isId(recordingId))
        return { list: [], total: 0, page, limit };
      const links = db
        .selectFrom('share_links')
        .innerJoin('recordings', 'recordings.id', 'share_links.recording_id')
        .where('share_links.account_id', '=', accountId)
        .$if(recordingId !== undefined, (query) =>
          query.where('recording_id', '=', recordingId ?? ''),
        );
      const rows = await links
        .select(['share_links.id', 'recording_id', 'parts', 'expires_at', 'view_count', 'views'])
        .select(['recorded_at', 'is_del', 'share_links.created_at', displayName.as('title')])
        .select(sql<boolean>`password_hash is not null`.as('has_password'))
        .orderBy('share_links.created_at', 'desc')
        .orderBy('share_links.id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      const { total } = await links
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const getStatus = (row: { readonly expires_at: Date | null; readonly is_del: 0 | 1 }) => {
        if (row.expires_at !== null && row.expires_at <= now()) return 'expired' as const;
        return row.is_del === 1 ? ('binned' as const) : ('valid' as const);
      };
      const list = rows.map((row) => ({
        id: row.id,
        radio_file_id: row.recording_id,
        title: row.title,
        recorded_at: row.recorded_at.toISOString(),
        parts: row.parts,
        url: addresses.createUrl(row.id, origin),
        has_password: row.has_password,
        created_at: row.created_at.toISOString(),
        expires_at: row.expires_at?.toISOString() ?? null,
        status: getStatus(row),
        view_count: row.view_count,
        last_viewed_at: row.views[0] ?? null,
        views: row.views,
      }));
      return { list, total, page, limit };
    },

    async revoke(accountId, id) {
      const revoked = await db
        .deleteFrom('share_links')
        .where(sql`id::text`, '=', id)
        .where('account_id', '=', accountId)
        .returning('id')
        .executeTakeFirst();
      if (!revoked) throw new CallError('notFound');
    },
  };
}
