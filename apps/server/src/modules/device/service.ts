import type { BoundDevice, CallData } from '@linnet/contract';
import type { Logger } from 'pino';
import type { Database, Row } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { hmac, type Keys } from '../../secrets.ts';
import { openKey, sealKey } from './sealed-key.ts';

export interface DeviceService {
  list(accountId: string): Promise<CallData<'device/index'>>;
  /** @throws CallError deviceNotRegistered, deviceBoundElsewhere */
  check(accountId: string, sn: string): Promise<CallData<'device/check'>>;
  /**
   * @param bindingKey hex; without one, a key from before is forgotten
   * @throws CallError deviceNotRegistered, deviceBoundElsewhere
   */
  bind(accountId: string, sn: string, bindingKey?: string): Promise<BoundDevice>;
  /** @throws CallError deviceNotYours */
  unbind(accountId: string, sn: string): Promise<{ sn: string }>;
}

export interface DeviceOptions {
  readonly db: Database;
  readonly keys: Pick<Keys, 'bindingKey' | 'ownerTag'>;
  readonly log: Logger;
  /** DEVICES=open: any serial may be bound, and is registered when it is. */
  readonly open: boolean;
  readonly now: () => Date;
}

/** Bytes of what a recorder knows its owner by. */
const OWNER_TAG_BYTES = 16;

export function createDeviceService({ db, keys, log, open, now }: DeviceOptions): DeviceService {
  async function registered(sn: string): Promise<Row<'devices'>> {
    if (open) await registerDevices(db, [{ sn }]);
    const device = await db
      .selectFrom('devices')
      .selectAll()
      .where('sn', '=', sn)
      .executeTakeFirst();
    if (!device) throw new CallError('deviceNotRegistered');
    return device;
  }

  const holder = (sn: string) =>
    db.selectFrom('bindings').selectAll().where('sn', '=', sn).executeTakeFirst();

  const ownerTag = (accountId: string, sn: string) =>
    hmac(keys.ownerTag, JSON.stringify([accountId, sn]))
      .subarray(0, OWNER_TAG_BYTES)
      .toString('hex');

  function toBound(
    device: Row<'devices'>,
    { account_id, bound_at, binding_key }: Omit<Row<'bindings'>, 'sn'>,
  ): BoundDevice {
    const { sn, name, project_code } = device;
    const key = binding_key && openKey(keys.bindingKey, { accountId: account_id, sn }, binding_key);
    // The secret is another one than it was: the recorder has to be bound again.
    if (binding_key && !key) log.warn({ event: 'binding_key.unreadable', sn });
    return {
      ...{ sn, name, project_code },
      bound_at: bound_at.toISOString(),
      binding_key: key ? key.toString('hex') : null,
    };
  }

  return {
    async list(accountId) {
      const rows = await db
        .selectFrom('bindings')
        .innerJoin('devices', 'devices.sn', 'bindings.sn')
        .selectAll('devices')
        .select(['account_id', 'bound_at', 'binding_key'])
        .where('account_id', '=', accountId)
        .orderBy('bound_at', 'desc')
        .orderBy('devices.sn')
        .execute();
      const list = rows.map((row) => toBound(row, row));
      return { list, total: list.length, page: 1, limit: Math.max(1, list.length) };
    },

    async check(accountId, sn) {
      const { name } = await registered(sn);
      const binding = await holder(sn);
      if (binding && binding.account_id !== accountId) throw new CallError('deviceBoundElsewhere');
      return { sn, name, bound: binding ? 'self' : 'none', owner_tag: ownerTag(accountId, sn) };
    },

    async bind(accountId, sn, bindingKey) {
      const device = await registered(sn);
      const binding_key = bindingKey
        ? sealKey(keys.bindingKey, { accountId, sn }, Buffer.from(bindingKey, 'hex'))
        : null;
      // The serial is the key of the table: of two that bind at once, one inserts.
      const binding = await db
        .insertInto('bindings')
        .values({ sn, account_id: accountId, bound_at: now(), binding_key })
        .onConflict((conflict) =>
          conflict
            .column('sn')
            .doUpdateSet({ binding_key })
            .where('bindings.account_id', '=', accountId),
        )
        .returningAll()
        .executeTakeFirst();
      if (!binding) throw new CallError('deviceBoundElsewhere');
      return toBound(device, binding);
    },

    async unbind(accountId, sn) {
      const gone = await db
        .deleteFrom('bindings')
        .where('sn', '=', sn)
        .where('account_id', '=', accountId)
        .returning('sn')
        .executeTakeFirst();
      if (!gone) throw new CallError('deviceNotYours');
      return { sn };
    },
  };
}

/** Adds serials to the registered ones; those already there keep what they have. Returns how many were new. */
export async function registerDevices(
  db: Database,
  devices: readonly { sn: string; name?: string; projectCode?: string }[],
): Promise<number> {
  if (devices.length === 0) return 0;
  const added = await db
    .insertInto('devices')
    .values(
      devices.map(({ sn, name = '', projectCode = '' }) => ({
        sn,
        name,
        project_code: projectCode,
      })),
    )
    .onConflict((conflict) => conflict.column('sn').doNothing())
    .returning('sn')
    .execute();
  return added.length;
}
