import type { BindingProof, BoundDevice, CallData } from '@linnet/contract';
import type { Logger } from 'pino';
import type { Database, Row } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { hmac, type Keys } from '../../secrets.ts';
import { isSignatureValid, isValidChallenge, newChallenge } from './binding-proof.ts';
import { openKey, sealKey } from './sealed-key.ts';

/** Binds recorders to accounts. */
export interface DeviceService {
  /** Lists the account's recorders, most recently bound first. */
  list(accountId: string): Promise<CallData<'device/index'>>;
  /**
   * Returns whether the recorder is bound to the account, and a challenge for binding it. The response doesn't reveal
   * whether any other recorder is registered or bound.
   */
  check(accountId: string, sn: string): Promise<CallData<'device/check'>>;
  /**
   * Binds a recorder to the account.
   * @param bindingKey hexadecimal digits; if absent, any stored key is deleted
   * @param proof the recorder's attestation; a valid proof replaces an unproven binding to another account
   * @throws CallError deviceNotRegistered, deviceBoundElsewhere, proofRefused
   */
  bind(
    accountId: string,
    sn: string,
    bindingKey?: string,
    proof?: BindingProof,
  ): Promise<BoundDevice>;
  /**
   * Deletes a recorder's binding to the account.
   * @throws CallError deviceNotYours
   */
  unbind(accountId: string, sn: string): Promise<{ sn: string }>;
}

export interface DeviceOptions {
  readonly db: Database;
  readonly keys: Pick<Keys, 'bindingKey' | 'ownerTag' | 'bindingChallenge'>;
  readonly log: Logger;
  /** Whether unregistered recorders may be bound, which also registers them (`DEVICES=open`). */
  readonly allowsUnregistered: boolean;
  readonly now: () => Date;
}

/** Length of the tag that identifies an account to a recorder. */
const ownerTagBytes = 16;

export function createDeviceService({
  db,
  keys,
  log,
  allowsUnregistered,
  now,
}: DeviceOptions): DeviceService {
  /**
   * Finds a registered recorder. With `allowsUnregistered`, registers an unknown recorder.
   * @throws CallError deviceNotRegistered
   */
  async function findRegistered(sn: string): Promise<Row<'devices'>> {
    if (allowsUnregistered) await registerDevices(db, [{ sn }]);
    const device = await db
      .selectFrom('devices')
      .selectAll()
      .where('sn', '=', sn)
      .executeTakeFirst();
    if (!device) throw new CallError('deviceNotRegistered');
    return device;
  }

  const ownerTag = (accountId: string, sn: string) =>
    hmac(keys.ownerTag, JSON.stringify([accountId, sn])).subarray(0, ownerTagBytes);

  /**
   * Returns whether the recorder has proved the binding. A recorder registered without a public key can't prove it.
   * @throws CallError proofRefused if the attestation is invalid
   */
  function isProved(
    { sn, public_key }: Row<'devices'>,
    accountId: string,
    proof: BindingProof | undefined,
  ): boolean {
    if (!proof || !public_key) return false;
    const subject = { accountId, sn };
    const isValid =
      isValidChallenge(keys.bindingChallenge, subject, proof.challenge, now()) &&
      isSignatureValid(public_key, sn, ownerTag(accountId, sn), proof);
    if (!isValid) {
      log.warn({ event: 'binding.proof_refused', sn, account: accountId });
      throw new CallError('proofRefused');
    }
    return true;
  }

  function toBoundDevice(
    device: Row<'devices'>,
    { account_id, bound_at, binding_key }: Omit<Row<'bindings'>, 'sn' | 'is_proved'>,
  ): BoundDevice {
    const { sn, name, project_code } = device;
    const key = binding_key && openKey(keys.bindingKey, { accountId: account_id, sn }, binding_key);
    // The server's secret has changed since the key was stored, so the recorder has to be bound again.
    if (binding_key && !key) log.warn({ event: 'binding_key.unreadable', sn });
    return {
      sn,
      name,
      project_code,
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
      const list = rows.map((row) => toBoundDevice(row, row));
      return { list, total: list.length, page: 1, limit: Math.max(1, list.length) };
    },

    async check(accountId, sn) {
      const binding = await db
        .selectFrom('bindings')
        .innerJoin('devices', 'devices.sn', 'bindings.sn')
        .select('devices.name')
        .where('bindings.sn', '=', sn)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return {
        sn,
        name: binding?.name ?? '',
        bound: binding ? 'self' : 'none',
        owner_tag: ownerTag(accountId, sn).toString('hex'),
        challenge: newChallenge(keys.bindingChallenge, { accountId, sn }, now()),
      };
    },

    async bind(accountId, sn, bindingKey, proof) {
      const device = await findRegistered(sn);
      const is_proved = isProved(device, accountId, proof);
      const binding_key = bindingKey
        ? sealKey(keys.bindingKey, { accountId, sn }, Buffer.from(bindingKey, 'hex'))
        : null;
      const binding = await db.transaction().execute(async (transaction) => {
        if (is_proved) {
          const replaced = await transaction
            .deleteFrom('bindings')
            .where('sn', '=', sn)
            .where('account_id', '!=', accountId)
            .where('is_proved', '=', false)
            .returning('account_id')
            .executeTakeFirst();
          if (replaced) log.info({ event: 'binding.replaced', sn, account: replaced.account_id });
        }
        // The serial is the primary key, so if two calls run concurrently, only one inserts a row.
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
      return toBoundDevice(device, binding);
    },

    async unbind(accountId, sn) {
      const deleted = await db
        .deleteFrom('bindings')
        .where('sn', '=', sn)
        .where('account_id', '=', accountId)
        .returning('sn')
        .executeTakeFirst();
      if (!deleted) throw new CallError('deviceNotYours');
      return { sn };
    },
  };
}

/** A recorder to be registered by the operator. */
export interface RegisteredDevice {
  readonly sn: string;
  readonly name?: string;
  readonly projectCode?: string;
  /** The recorder's Ed25519 public key, as 32 bytes in hex. Without it, bindings can't be proved. */
  readonly publicKey?: string | undefined;
}

/**
 * Registers recorders. For a serial number that is already registered, only updates the public key, if one is given.
 * @returns the number of newly registered recorders
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
