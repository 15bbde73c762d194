import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { BindingProof } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { attestationMessage, hashOwnerTag } from '@linnet/device/channel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';

let server: TestServer;
let account: Account;
let otherUser: Account;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
  otherUser = await server.register();
});
afterAll(() => server.close());

async function newDevice(): Promise<string> {
  const sn = `SN-${crypto.randomUUID()}`;
  await server.registerDevice(sn);
  return sn;
}

describe('recorders', () => {
  const call: TestServer['call'] = (name, body, options) =>
    server.call(name, body, { token: account.access, ...options });
  const theirToken = () => ({ token: otherUser.access });

  it('can be bound, listed and unbound', async () => {
    const sn = await newDevice();
    expect((await call('device/check', { sn })).data).toMatchObject({ sn, bound: 'none' });
    expect((await call('device/binding', { sn })).data).toMatchObject({ sn });
    expect((await call('device/check', { sn })).data).toMatchObject({ sn, bound: 'self' });
    // A retry after a lost response also succeeds.
    expect((await call('device/binding', { sn })).code).toBe(codes.ok);
    const { data } = await call('device/index');
    expect(data.list.filter((device) => device.sn === sn)).toHaveLength(1);
    expect((await call('device/index', {}, theirToken())).data.list).toEqual([]);
    expect((await call('device/unbinding', { sn })).code).toBe(codes.ok);
    expect((await call('device/check', { sn })).data.bound).toBe('none');
  });

  it('can only be bound to one account', async () => {
    const sn = await newDevice();
    await call('device/binding', { sn });
    const response = await call('device/binding', { sn }, theirToken());
    expect(response.code).toBe(codes.deviceBoundElsewhere);
    expect((await call('device/unbinding', { sn }, theirToken())).code).toBe(codes.deviceNotYours);
    expect((await call('device/check', { sn })).data.bound).toBe('self');
  });

  it('are bound by only one of many concurrent calls', async () => {
    const sn = await newDevice();
    const accounts = await Promise.all(Array.from({ length: 6 }, () => server.register()));
    const responses = await Promise.all(
      accounts.map(({ access }) => call('device/binding', { sn }, { token: access })),
    );
    const resultCodes = responses.map(({ code }) => code).toSorted((a, b) => a - b);
    expect(resultCodes).toEqual([codes.ok, ...Array(5).fill(codes.deviceBoundElsewhere)]);
  });

  it('cannot be bound unless they are registered', async () => {
    const sn = `SN-${crypto.randomUUID()}`;
    const response = await call('device/binding', { sn });
    expect(response).toMatchObject({ code: codes.deviceNotRegistered, data: null });
    expect((await call('device/unbinding', { sn })).code).toBe(codes.deviceNotYours);
  });

  it('of other accounts are indistinguishable from unbound and unknown recorders', async () => {
    const unknown = `SN-${crypto.randomUUID()}`;
    const [unbound, bound] = [await newDevice(), await newDevice()];
    await call('device/binding', { sn: bound });
    for (const sn of [unknown, unbound, bound]) {
      const { code, data } = await call('device/check', { sn }, theirToken());
      expect({ code, ...data }).toEqual({
        code: codes.ok,
        sn,
        name: '',
        bound: 'none',
        owner_tag: expect.stringMatching(/^[0-9a-f]{32}$/),
        challenge: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    }
  });

  it('share their binding key with all phones of the account', async () => {
    const sn = await newDevice();
    const fetchBindingKey = async (options = {}) =>
      (await call('device/index', {}, options)).data.list.find((device) => device.sn === sn)
        ?.binding_key;
    const [first, second] = ['0f'.repeat(32), 'f0'.repeat(32)];
    expect((await call('device/binding', { sn, binding_key: first })).data.binding_key).toBe(first);
    expect(await fetchBindingKey()).toBe(first);
    const bound = await call('device/binding', { sn, binding_key: second }, theirToken());
    expect(bound.code).toBe(codes.deviceBoundElsewhere);
    expect(await fetchBindingKey(theirToken())).toBeUndefined();
    expect(await fetchBindingKey()).toBe(first);
    await call('device/binding', { sn, binding_key: second });
    expect(await fetchBindingKey()).toBe(second);
    // Binding again with protocol version 1, which has no key, deletes the key.
    await call('device/binding', { sn });
    expect(await fetchBindingKey()).toBeNull();
    await call('device/binding', { sn, binding_key: first });
    await call('device/unbinding', { sn });
    await call('device/binding', { sn }, theirToken());
    expect(await fetchBindingKey(theirToken())).toBeNull();
    await call('device/unbinding', { sn }, theirToken());
  });

  it('have an owner tag that depends only on the account and the recorder', async () => {
    const [sn, other] = [await newDevice(), await newDevice()];
    const fetchOwnerTag = async (owner: string, options = {}) =>
      (await call('device/check', { sn: owner }, options)).data.owner_tag;
    const tag = await fetchOwnerTag(sn);
    expect(tag).toMatch(/^[0-9a-f]{32}$/);
    await call('device/binding', { sn, binding_key: '0f'.repeat(32) });
    await call('device/unbinding', { sn });
    expect(await fetchOwnerTag(sn)).toBe(tag);
    expect(await fetchOwnerTag(sn, theirToken())).not.toBe(tag);
    expect(await fetchOwnerTag(other)).not.toBe(tag);
  });

  it('cannot be bound with an invalid binding key', async () => {
    const sn = await newDevice();
    for (const binding_key of ['', '0f'.repeat(31), 'zz'.repeat(32), '0F'.repeat(32), 7]) {
      const body = { sn, binding_key } as { sn: string };
      expect((await call('device/binding', body)).code).toBe(codes.badRequest);
    }
    expect((await call('device/check', { sn })).data.bound).toBe('none');
  });
});

it.each(['device/check', 'device/binding', 'device/unbinding'] as const)(
  '%s requires a valid body and a token',
  async (name) => {
    for (const body of [{}, { sn: true }, { sn: '' }, { sn: 'x'.repeat(65) }]) {
      const response = await server.call(name, body, { token: account.access });
      expect(response.code).toBe(codes.badRequest);
    }
    expect((await server.call(name, { sn: 'x' })).code).toBe(codes.tokenInvalid);
  },
);

it('encrypts binding keys so that they cannot be decrypted in a different row', async () => {
  const sn = await newDevice();
  const key = '0f'.repeat(32);
  const token = { token: account.access };
  await server.call('device/binding', { sn, binding_key: key }, token);
  const rows = server.db.selectFrom('bindings').selectAll();
  const { binding_key: sealed } = await rows.where('sn', '=', sn).executeTakeFirstOrThrow();
  expect(sealed).toHaveLength(12 + 32 + 16);
  expect(sealed?.toString('hex')).not.toContain(key);
  await server.call('device/binding', { sn, binding_key: key }, token);
  const sealedAgain = await rows.where('sn', '=', sn).executeTakeFirstOrThrow();
  expect(sealedAgain.binding_key).not.toEqual(sealed);

  const fetchBindingKey = async (owner: string) =>
    (await server.call('device/index', {}, token)).data.list.find((device) => device.sn === owner)
      ?.binding_key;
  const move = (to: string, binding_key: Buffer | null) =>
    server.db.updateTable('bindings').set({ binding_key }).where('sn', '=', to).execute();
  const other = await newDevice();
  await server.call('device/binding', { sn: other, binding_key: 'f0'.repeat(32) }, token);
  await move(other, sealed);
  expect(await fetchBindingKey(other)).toBeNull();
  await move(sn, sealed);
  expect(await fetchBindingKey(sn)).toBe(key);
});

describe('an attested binding', () => {
  /** Registers a recorder that can sign attestations. */
  async function newRecorder() {
    const sn = `LNR1${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const rawKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    await server.registerDevice(sn, rawKey.toString('hex'));
    const attest = (challenge: string, ownerTag: string, key: KeyObject = privateKey) => {
      const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
      const message = attestationMessage(sn, hashOwnerTag(bytes(ownerTag)), bytes(challenge));
      return { challenge, signature: sign(null, message, key).toString('hex') };
    };
    return { sn, attest };
  }
  const getToken = ({ access }: Account) => ({ token: access });
  const check = async (sn: string, owner: Account) =>
    (await server.call('device/check', { sn }, getToken(owner))).data;
  const bind = (sn: string, owner: Account, proof?: BindingProof) =>
    server.call('device/binding', { sn, ...(proof && { proof }) }, getToken(owner));
  async function bindWithProof(
    { sn, attest }: Awaited<ReturnType<typeof newRecorder>>,
    owner: Account,
  ) {
    const { challenge, owner_tag } = await check(sn, owner);
    return bind(sn, owner, attest(challenge, owner_tag));
  }

  it('replaces an unproven binding of another account, but not vice versa', async () => {
    const recorder = await newRecorder();
    const { sn } = recorder;
    expect((await bind(sn, otherUser)).code).toBe(codes.ok);
    expect((await bind(sn, account)).code).toBe(codes.deviceBoundElsewhere);
    expect((await bindWithProof(recorder, account)).code).toBe(codes.ok);
    expect((await check(sn, account)).bound).toBe('self');
    const { data } = await server.call('device/index', {}, getToken(otherUser));
    expect(data.list.map((device) => device.sn)).not.toContain(sn);
    expect((await bind(sn, otherUser)).code).toBe(codes.deviceBoundElsewhere);
  });

  it('is not replaced by another account’s proof, or by the same account’s binding without proof', async () => {
    const recorder = await newRecorder();
    await bindWithProof(recorder, account);
    await bind(recorder.sn, account);
    expect((await bindWithProof(recorder, otherUser)).code).toBe(codes.deviceBoundElsewhere);
    await server.call('device/unbinding', { sn: recorder.sn }, getToken(account));
    expect((await bindWithProof(recorder, otherUser)).code).toBe(codes.ok);
  });

  it('upgrades the account’s own unproven binding', async () => {
    const recorder = await newRecorder();
    await bind(recorder.sn, account);
    await bindWithProof(recorder, account);
    expect((await bindWithProof(recorder, otherUser)).code).toBe(codes.deviceBoundElsewhere);
  });

  it('is rejected for another account, recorder, key or challenge', async () => {
    const [recorder, other] = [await newRecorder(), await newRecorder()];
    const { sn, attest } = recorder;
    const [myResponse, theirResponse] = [await check(sn, account), await check(sn, otherUser)];
    const otherKey = generateKeyPairSync('ed25519').privateKey;
    for (const proof of [
      attest(theirResponse.challenge, theirResponse.owner_tag),
      attest(myResponse.challenge, theirResponse.owner_tag),
      attest(myResponse.challenge, myResponse.owner_tag, otherKey),
      attest((await check(other.sn, account)).challenge, myResponse.owner_tag),
      attest('0f'.repeat(32), myResponse.owner_tag),
      other.attest(myResponse.challenge, myResponse.owner_tag),
    ]) {
      expect((await bind(sn, account, proof)).code).toBe(codes.proofRefused);
    }
    expect((await check(sn, account)).bound).toBe('none');
    server.advanceClock(10 * 60 + 1);
    const expired = attest(myResponse.challenge, myResponse.owner_tag);
    expect((await bind(sn, account, expired)).code).toBe(codes.proofRefused);
    expect((await bindWithProof(recorder, account)).code).toBe(codes.ok);
  });

  it('counts as unproven if no key is registered', async () => {
    const sn = await newDevice();
    const { challenge } = await check(sn, account);
    const proof = { challenge, signature: '0f'.repeat(64) };
    expect((await bind(sn, account, proof)).code).toBe(codes.ok);
    expect((await bind(sn, otherUser, proof)).code).toBe(codes.deviceBoundElsewhere);
  });
});

it('allows any serial number to be bound with DEVICES=open', async () => {
  const openServer = await startTestServer({ DEVICES: 'open' });
  const { access } = await openServer.register();
  const response = await openServer.call('device/binding', { sn: 'HOME-MADE' }, { token: access });
  expect(response).toMatchObject({ code: codes.ok, data: { sn: 'HOME-MADE' } });
  await openServer.close();
});
