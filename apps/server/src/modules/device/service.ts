import type { BindingProof, BoundDevice, CallData } from '@linnet/contract';
import type { Logger } from 'pino';
import type { Database, Row } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { hmac, type Keys } from '../../secrets.ts';
import { isFresh, isSigned, newChallenge } from './binding-proof.ts';
import { openKey, sealKey } from './sealed-key.ts';

export interface DeviceService {
  list(accountId: string): Promise<CallData<'device/index'>>;
  /** Reports only on the account's own recorders; the response for any other is the same, known or not. */
  check(accountId: string, sn: string): Promise<CallData<'device/check'>>;
  /**
   * @param bindingKey hex; if absent, a previous key is deleted
   * @param proof the recorder's attestation; overrides another account's unproven binding
   * @throws CallError deviceNotRegistered, deviceBoundElsewhere, proofRefused
   */
  bind(
    accountId: string,
    sn: string,
    bindingKey?: string,
    proof?: BindingProof,
  ): Promise<BoundDevice>;
  /** @throws CallError deviceNotYours */
  unbind(accountId: string, sn: string): Promise<{ sn: string }>;
}

export interface DeviceOptions {
  readonly db: Database;
  readonly keys: Pick<Keys, 'bindingKey' | 'ownerTag' | 'bindingChallenge'>;
  readonly log: Logger;
  /** DEVICES=open: any serial may be bound, which also registers it. */
  readonly open: boolean;
  readonly now: () => Date;
}

/** Length in bytes of the tag by which a recorder identifies its owner. */
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

  const ownerTag = (accountId: string, sn: string) =>
    hmac(keys.ownerTag, JSON.stringify([accountId, sn])).subarray(0, OWNER_TAG_BYTES);

  /**
   * Whether the recorder has attested the binding. A recorder registered without a key cannot.
   * @throws CallError proofRefused
   */
  function isProved(
    { sn, public_key }: Row<'devices'>,
    accountId: string,
    proof: BindingProof | undefined,
  ): boolean {
    if (!proof || !public_key) return false;
    const subject = { accountId, sn };
    const holds =
      isFresh(keys.bindingChallenge, subject, proof.challenge, now()) &&
      isSigned(public_key, sn, ownerTag(accountId, sn), proof);
    if (!holds) {
      log.warn({ event: 'binding.proof_refused', sn, account: accountId });
      throw new CallError('proofRefused');
    }
    return true;
  }

  function toBound(
    device: Row<'devices'>,
    { account_id, bound_at, binding_key }: Omit<Row<'bindings'>, 'sn' | 'is_proved'>,
  ): BoundDevice {
    const { sn, name, project_code } = device;
    const key = binding_key && openKey(keys.bindingKey, { accountId: account_id, sn }, binding_key);
    // The secret has changed: the recorder has to be bound again.
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
      const own = await db
        .selectFrom('bindings')
        .innerJoin('devices', 'devices.sn', 'bindings.sn')
        .select('devices.name')
        .where('bindings.sn', '=', sn)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return {
        sn,
        name: own?.name ?? '',
        bound: own ? 'self' : 'none',
        owner_tag: ownerTag(accountId, sn).toString('hex'),
        challenge: newChallenge(keys.bindingChallenge, { accountId, sn }, now()),
      };
    },

    async bind(accountId, sn, bindingKey, proof) {
      const device = await registered(sn);
      const is_proved = isProved(device, accountId, proof);
      const binding_key = bindingKey
        ? sealKey(keys.bindingKey, { accountId, sn }, Buffer.from(bindingKey, 'hex'))
        : null;
      const binding = await db.transaction().execute(async (transaction) => {
        if (is_proved) {
          const given = await transaction
            .deleteFrom('bindings')
            .where('sn', '=', sn)
            .where('account_id', '!=', accountId)
            .where('is_proved', '=', false)
            .returning('account_id')
            .executeTakeFirst();
          if (given) log.info({ event: 'binding.replaced', sn, account: given.account_id });
        }
        // The serial is the primary key, so only one of two concurrent calls inserts.
        return transaction
          .insertInto('bindings')
          .values({ sn, account_id: accountId, bound_at: now(), binding_key, is_proved })
          .onConflict((conflict) =>
            conflict
              .column('sn')
              .doUpdateSet({ binding_key, ...(is_proved && { is_proved }) })
              .where('bindings.account_id', '=', accountId),
          )
          .returningAll()
          .executeTakeFirst();
      });
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

/** A recorder to be registered by the operator. */
export interface RegisteredDevice {
  readonly sn: string;
  readonly name?: string;
  readonly projectCode?: string;
  /** Its Ed25519 public key, 32 bytes in hex; without it, bindings cannot be proved. */
  readonly publicKey?: string | undefined;
}

/**
 * Registers serials. Existing entries are unchanged, except for a given key.
 * @returns the number of new serials
 */
export async function registerDevices(
  db: Database,
  devices: readonly RegisteredDevice[],
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
  for (const { sn, publicKey } of devices) {
    if (!publicKey) continue;
    const public_key = Buffer.from(publicKey, 'hex');
    await db.updateTable('devices').set({ public_key }).where('sn', '=', sn).execute();
  }
  return added.length;
}
