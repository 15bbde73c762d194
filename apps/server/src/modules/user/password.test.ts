import { codes } from '@linnet/contract/codes';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { hashPassword } from './passwords.ts';

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
});

const newPassword = 'a better phrase';
const createBody = (old: string, password = newPassword) => ({
  old_password: old,
  password,
  repassword: password,
});

describe('changing the password', () => {
  const change = (body: object, token = owner.access) =>
    server.call('user/updatePassword', body, { token });
  const signIn = (password: string) => server.call('user/login', { email: owner.email, password });

  it('ends all other sessions', async () => {
    const { data: other } = await signIn(owner.password);
    expect(await change(createBody(owner.password))).toMatchObject({ code: codes.ok, data: {} });
    const loadInfo = (token: string) => server.call('user/info', {}, { token });
    expect((await loadInfo(other.access_token)).code).toBe(codes.tokenInvalid);
    const refresh = (token: string) => server.call('user/refreshToken', {}, { token });
    expect((await refresh(other.refresh_token)).code).toBe(codes.tokenInvalid);
    expect((await loadInfo(owner.access)).code).toBe(codes.ok);
    expect((await refresh(owner.refresh)).code).toBe(codes.ok);
    expect((await signIn(owner.password)).code).toBe(codes.wrongCredentials);
    expect((await signIn(newPassword)).code).toBe(codes.ok);
  });

  it.each([
    ['wrongOldPassword', (oldPassword: string) => createBody(`${oldPassword}!`)],
    [
      'passwordsDiffer',
      (oldPassword: string) => ({ ...createBody(oldPassword), repassword: 'something else' }),
    ],
    ['weakPassword', (oldPassword: string) => createBody(oldPassword, 'short')],
    ['weakPassword', (oldPassword: string) => createBody(oldPassword, 'Password123')],
    [
      'badRequest',
      (oldPassword: string) => ({ ...createBody(oldPassword), old_password: undefined }),
    ],
    ['badRequest', (oldPassword: string) => ({ ...createBody(oldPassword), password: 7 })],
    ['badRequest', () => ({})],
  ] as const)('returns %s and changes nothing', async (reason, body) => {
    const response = await change(body(owner.password));
    expect(response).toMatchObject({ code: codes[reason], data: null });
    expect((await signIn(owner.password)).code).toBe(codes.ok);
  });

  it('rejects the email address as the password', async () => {
    const response = await change(createBody(owner.password, owner.email));
    expect(response.code).toBe(codes.weakPassword);
  });

  it('requires a token', async () => {
    const response = await server.call('user/updatePassword', createBody('x'));
    expect(response).toMatchObject({ code: codes.tokenInvalid, data: null });
  });

  it('limits guesses of the old password', async () => {
    const resultCodes: number[] = [];
    for (let n = 0; n < 11; n += 1) resultCodes.push((await change(createBody(`guess ${n}`))).code);
    expect(resultCodes).toEqual([...Array(10).fill(codes.wrongOldPassword), codes.tooManyRequests]);
    expect((await change(createBody(owner.password))).code).toBe(codes.tooManyRequests);
  });

  it('succeeds for one of two concurrent calls', async () => {
    const { data: other } = await signIn(owner.password);
    const passwords = ['the first phrase', 'the second phrase'] as const;
    const responses = await Promise.all([
      change(createBody(owner.password, passwords[0])),
      change(createBody(owner.password, passwords[1]), other.access_token),
    ]);
    const succeeded = responses.map(({ code }) => code === codes.ok);
    expect(succeeded.filter(Boolean)).toHaveLength(1);
    for (const [index, password] of passwords.entries()) {
      expect((await signIn(password)).code === codes.ok).toBe(succeeded[index]);
    }
  });

  it('makes a concurrent sign-in with the old password wait and fail', async () => {
    const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const changing = server.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('accounts')
        .set({ password_hash: await hashPassword(newPassword) })
        .where('id', '=', owner.id)
        .execute();
      locked.resolve();
      await done.promise;
    });
    await locked.promise;
    const signIns = signIn(owner.password);
    await vi.waitUntil(
      async () => {
        const { rows } = await sql`select 1 from pg_locks where not granted
        and (locktype = 'transactionid' or locktype = 'tuple')`.execute(server.db);
        return rows.length > 0;
      },
      { timeout: 60_000 },
    );
    done.resolve();
    await changing;
    expect((await signIns).code).toBe(codes.wrongCredentials);
  });

  it('ends sessions that were opened concurrently with the old password', async () => {
    const signIns = Array.from({ length: 8 }, () => signIn(owner.password));
    const [changed, ...signed] = await Promise.all([
      change(createBody(owner.password)),
      ...signIns,
    ]);
    expect(changed.code).toBe(codes.ok);
    for (const { code, data } of signed) {
      if (code !== codes.ok) continue;
      const token = data.access_token;
      expect((await server.call('user/info', {}, { token })).code).toBe(codes.tokenInvalid);
    }
  });
});
