import { buffer } from 'node:stream/consumers';
import type { CallData } from '@linnet/contract';
import type { Database } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import type { Minutes } from '../minutes/service.ts';
import type { OrderService } from '../order/service.ts';
import type { Addresses } from '../upload/addresses.ts';
import { discardObjects } from '../upload/discard.ts';
import { findGrant, findStoredObject } from '../upload/grant-queries.ts';
import type { Caller } from './access.ts';
import { isPicture, pictureHeadBytes } from './picture.ts';
import { isVip } from './vip.ts';

type UserInfo = CallData<'user/info'>;

/** Reads and changes an account's profile. `origin` is the server's origin as used in the caller's request. */
export interface Profile {
  info(caller: Pick<Caller, 'account' | 'sessionId'>, origin: string): Promise<UserInfo>;
  rename(caller: Caller, nickname: string, origin: string): Promise<UserInfo>;
  /**
   * Sets the avatar to an uploaded picture, or removes it if `url` is ''. The previous picture is deleted.
   * @throws CallError keyNotIssued, objectMissing, tooLarge, typeNotAccepted
   */
  setAvatar(caller: Caller, url: string, origin: string): Promise<UserInfo>;
}

export interface ProfileDependencies {
  readonly db: Database;
  readonly queue: Queue;
  readonly store: ObjectStore;
  readonly addresses: Addresses;
  readonly minutes: Minutes;
  readonly orders: Pick<OrderService, 'subscription'>;
  /** Whether all features are available without a membership (`BILLING=off`). */
  readonly isFree: boolean;
  readonly now: () => Date;
}

export function createProfile(deps: ProfileDependencies): Profile {
  const { db, queue, store, addresses, minutes, orders, isFree, now } = deps;

  async function info(
    { account, sessionId }: Pick<Caller, 'account' | 'sessionId'>,
    origin: string,
  ): Promise<UserInfo> {
    const vip = isVip(account, now());
    return {
      id: account.id,
      email: account.email,
      nickname: account.nickname,
      avatar: account.avatar === null ? null : addresses.sign(origin, account.avatar, sessionId),
      is_vip: isFree || vip,
      vip_plan: vip ? account.vip_plan : null,
      vip_expires_at: account.vip_expires_at?.toISOString() ?? null,
      subscription: await orders.subscription(account),
      left_minutes: (await minutes.balance(db, account)).left,
      agreement_version: account.agreement_version,
      created_at: account.created_at.toISOString(),
    };
  }

  /** Returns an uploaded picture's key after checking that the picture's content matches its extension. */
  async function findPicture(accountId: string, url: string): Promise<string> {
    const { key, ext, size } = await findStoredObject(deps, accountId, url, 'avatar');
    const end = Math.min(size, pictureHeadBytes) - 1;
    const head = end < 0 ? Buffer.alloc(0) : await buffer(await store.read(key, { start: 0, end }));
    if (!isPicture(ext, head)) {
      throw new CallError('typeNotAccepted', `This file isn't a ${ext} picture.`);
    }
    return key;
  }

  return {
    info,

    async rename({ accountId, sessionId }, nickname, origin) {
      const account = await db.transaction().execute(async (trx) => {
        await nextRevision(trx, accountId);
        return trx
          .updateTable('accounts')
          .set({ nickname })
          .where('id', '=', accountId)
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      return info({ account, sessionId }, origin);
    },

    async setAvatar({ accountId, sessionId }, url, origin) {
      const key = url === '' ? null : await findPicture(accountId, url);
      const account = await db.transaction().execute(async (trx) => {
        await nextRevision(trx, accountId);
        // A concurrent call may already have replaced and discarded this picture.
        if (key !== null && !(await findGrant(trx, accountId, key, 'avatar'))) {
          throw new CallError('keyNotIssued');
        }
        const { avatar: previous } = await trx
          .selectFrom('accounts')
          .select('avatar')
          .where('id', '=', accountId)
          .executeTakeFirstOrThrow();
        if (previous !== null && previous !== key) {
          await discardObjects(trx, queue, [previous], now());
        }
        return trx
          .updateTable('accounts')
          .set({ avatar: key })
          .where('id', '=', accountId)
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      return info({ account, sessionId }, origin);
    },
  };
}
