import type { BoundDevice, CallData } from '@linnet/contract';
import type { Database, Row } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';

export interface DeviceService {
  list(accountId: string): Promise<CallData<'device/index'>>;
  /** @throws CallError deviceNotRegistered, deviceBoundElsewhere */
  check(accountId: string, sn: string): Promise<CallData<'device/check'>>;
  /** @throws CallError deviceNotRegistered, deviceBoundElsewhere */
  bind(accountId: string, sn: string): Promise<BoundDevice>;
  /** @throws CallError deviceNotYours */
  unbind(accountId: string, sn: string): Promise<{ sn: string }>;
}

/** @param open DEVICES=open: any serial may be bound, and is registered when it is */
export function createDeviceService(
  db: Database,
  { open, now }: { open: boolean; now: () => Date },
): DeviceService {
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

  return {
    async list(accountId) {
      const rows = await db
        .selectFrom('bindings')
        .innerJoin('devices', 'devices.sn', 'bindings.sn')
        .selectAll('devices')
        .select('bound_at')
        .where('account_id', '=', accountId)
        .orderBy('bound_at', 'desc')
        .orderBy('devices.sn')
        .execute();
      const list = rows.map((row) => toBound(row, row.bound_at));
      return { list, total: list.length, page: 1, limit: Math.max(1, list.length) };
    },

    async check(accountId, sn) {
      const { name } = await registered(sn);
      const binding = await holder(sn);
      if (binding && binding.account_id !== accountId) throw new CallError('deviceBoundElsewhere');
      return { sn, name, bound: binding ? 'self' : 'none' };
    },

    async bind(accountId, sn) {
      const device = await registered(sn);
      // The serial is the key of the table: of two that bind at once, one inserts.
      await db
        .insertInto('bindings')
        .values({ sn, account_id: accountId, bound_at: now() })
        .onConflict((conflict) => conflict.column('sn').doNothing())
        .execute();
      const binding = await holder(sn);
      if (binding?.account_id !== accountId) throw new CallError('deviceBoundElsewhere');
      return toBound(device, binding.bound_at);
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

function toBound(device: Row<'devices'>, boundAt: Date): BoundDevice {
  return {
    sn: device.sn,
    name: device.name,
    project_code: device.project_code,
    bound_at: boundAt.toISOString(),
  };
}
