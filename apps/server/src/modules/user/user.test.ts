import { codes } from '@linnet/contract/codes';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../../../test/server.ts';
import { goodPassword, startTestServer } from '../../../test/server.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('accounts', () => {
  const call: TestServer['call'] = (name, body, options) => server.call(name, body, options);

  it('register with an emailed code, sign in, and return their profile', async () => {
    const email = `Ada.${crypto.randomUUID()}@Example.com`;
    const lower = email.toLowerCase();
    expect(await call('site/code', { email })).toMatchObject({ code: codes.ok });
    const fields = { email, password: goodPassword, repassword: goodPassword };
    const code = await server.emailedCode(lower);
    const registered = await call('user/register', { ...fields, code });
    expect(registered).toMatchObject({ code: codes.ok, data: { email: lower } });
    const { data: tokens } = await call('user/login', { email, password: goodPassword });
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    const token = tokens.access_token;
    const { data: info } = await call('user/info', {}, { token });
    expect(info).toMatchObject({ email: lower, is_vip: true, vip_plan: 'trial', left_minutes: 30 });
    const days = (Date.parse(info.vip_expires_at ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(13.99);
    expect(days).toBeLessThanOrEqual(14);
    expect(await call('user/leftMinute', {}, { token })).toMatchObject({
      code: codes.ok,
      data: { left_minutes: 30, free_minutes: 30, vip_minutes: 0, reserved_minutes: 0 },
    });
  });

  it('return the same response for a wrong password and an unknown account', async () => {
    const { email } = await server.register();
    const wrongResponse = await call('user/login', { email, password: 'not the password' });
    const unknown = await call('user/login', {
      email: 'no@example.com',
      password: 'not the password',
    });
    expect(wrongResponse).toMatchObject({ code: codes.wrongCredentials, data: null });
    expect(unknown).toEqual(wrongResponse);
  });

  it('reset their password with a code, and all sessions then end', async () => {
    const account = await server.register();
    const password = 'a different phrase';
    await call('site/code', { email: account.email });
    const code = await server.emailedCode(account.email);
    const fields = { email: account.email, code, password, repassword: password };
    expect(await call('user/forgotPassword', fields)).toMatchObject({ code: codes.ok });
    expect((await call('user/info', {}, { token: account.access })).code).toBe(codes.tokenInvalid);
    const refreshed = await call('user/refreshToken', {}, { token: account.refresh });
    expect(refreshed.code).toBe(codes.tokenInvalid);
    const withOldPassword = await call('user/login', {
      email: account.email,
      password: account.password,
    });
    expect(withOldPassword.code).toBe(codes.wrongCredentials);
    const withNewPassword = await call('user/login', { email: account.email, password });
    expect(withNewPassword.code).toBe(codes.ok);
  });

  it.each([
    ['passwordsDiffer', { repassword: 'something else' }],
    ['weakPassword', { password: 'short', repassword: 'short' }],
    ['weakPassword', { password: ' '.repeat(8), repassword: ' '.repeat(8) }],
    [
      'weakPassword',
      { password: '\u200b\t \u00ad'.repeat(3), repassword: '\u200b\t \u00ad'.repeat(3) },
    ],
    ['weakPassword', { password: 'Password123', repassword: 'Password123' }],
    ['weakPassword', { password: 'x'.repeat(129), repassword: 'x'.repeat(129) }],
    ['wrongCode', { code: '000000' }],
    ['badRequest', { email: 'nobody' }],
    ['badRequest', { code: 123456 }],
    ['badRequest', { password: undefined }],
  ] as const)('returns %s for a registration with %o', async (reason, change) => {
    const email = `${crypto.randomUUID()}@example.com`;
    const fields = { email, code: '999999', password: goodPassword, repassword: goodPassword };
    const response = await call('user/register', { ...fields, ...change });
    expect(response).toMatchObject({ code: codes[reason], data: null });
    expect(response.msg).not.toBe('');
  });

  it('reject the email address as the password', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const fields = { email, code: '999999', password: email, repassword: email };
    expect((await call('user/register', fields)).code).toBe(codes.weakPassword);
  });

  it.each(['user/info', 'user/leftMinute', 'device/index', 'task/index'] as const)(
    'require a valid access token for %s',
    async (name) => {
      const { access, refresh } = await server.register();
      expect((await call(name, {})).code).toBe(codes.tokenInvalid);
      expect((await call(name, {}, { token: 'nonsense' })).code).toBe(codes.tokenInvalid);
      expect((await call(name, {}, { token: refresh })).code).toBe(codes.tokenInvalid);
      const [head, body, seal] = access.split('.');
      const forged = `${head}.${body}.${seal?.split('').reverse().join('')}`;
      expect((await call(name, {}, { token: forged })).code).toBe(codes.tokenInvalid);
      expect((await call(name, {}, { token: access })).code).toBe(codes.ok);
    },
  );
});

describe('verification codes', () => {
  const attempt = (email: string, code: string) =>
    server.call('user/register', { email, code, password: goodPassword, repassword: goodPassword });
  const newEmail = () => `${crypto.randomUUID()}@example.com`;
  const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('return the same response for known and unknown addresses', async () => {
    const { email: known } = await server.register();
    const unknown = newEmail();
    const responses = [
      await server.call('site/code', { email: known }),
      await server.call('site/code', { email: unknown }),
    ];
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]?.code).toBe(codes.ok);
  });

  it('can be used once, and are not invalidated by another request', async () => {
    const email = newEmail();
    await server.call('site/code', { email });
    const code = await server.emailedCode(email);
    // A stranger requests codes for the same address.
    for (let n = 0; n < 4; n += 1) await server.call('site/code', { email });
    expect((await attempt(email, code)).code).toBe(codes.ok);
    expect((await attempt(email, code)).code).toBe(codes.wrongCode);
    await server.db.deleteFrom('rate_windows').execute();
    await server.call('site/code', { email });
    expect(await server.emailedCode(email)).not.toBe(code);
  });

  it('are required to find out whether an address has an account', async () => {
    const { email } = await server.register();
    await server.call('site/code', { email });
    const code = await server.emailedCode(email);
    expect((await attempt(email, code)).code).toBe(codes.emailTaken);
    const otherUser = newEmail();
    await server.call('site/code', { email: otherUser });
    const fields = {
      email: otherUser,
      code: await server.emailedCode(otherUser),
      password: goodPassword,
      repassword: goodPassword,
    };
    expect((await server.call('user/forgotPassword', fields)).code).toBe(codes.unknownAccount);
  });

  it('allow five attempts, then increasing delays, and expire after ten minutes', async () => {
    const email = newEmail();
    await server.call('site/code', { email });
    const code = await server.emailedCode(email);
    for (let attempts = 0; attempts < 5; attempts += 1) {
      expect((await attempt(email, wrongFor(code))).code).toBe(codes.wrongCode);
    }
    expect(await attempt(email, code)).toMatchObject({
      code: codes.tooManyRequests,
      msg: 'Too many attempts. Try again in 60 s.',
    });

    const otherEmail = newEmail();
    await server.call('site/code', { email: otherEmail });
    const expiredCode = await server.emailedCode(otherEmail);
    server.advanceClock(601);
    expect((await attempt(otherEmail, expiredCode)).code).toBe(codes.wrongCode);
  });

  it('are consumed by one of two concurrent registrations', async () => {
    const email = newEmail();
    await server.call('site/code', { email });
    const code = await server.emailedCode(email);
    const responses = await Promise.all([attempt(email, code), attempt(email, code)]);
    const resultCodes = responses.map((response) => response.code);
    expect(resultCodes.filter((code) => code === codes.ok)).toHaveLength(1);
    expect(
      await server.db.selectFrom('accounts').where('email', '=', email).select('id').execute(),
    ).toHaveLength(1);
  });

  it('are stored as seeds and limited per mailbox', async () => {
    const email = newEmail();
    const resultCodes: number[] = [];
    for (let n = 0; n < 6; n += 1)
      resultCodes.push((await server.call('site/code', { email })).code);
    expect(resultCodes).toEqual([0, 0, 0, 0, 0, codes.tooManyRequests]);
    const code = await server.emailedCode(email);
    const row = await server.db
      .selectFrom('verification_codes')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(code);
    expect(row.seed).toHaveLength(32);
  });
});

describe('limits per network', () => {
  /** Makes a call from another IP address. */
  const postFrom = async (remoteAddress: string, url: string, payload: object): Promise<number> => {
    const headers = { host: 'localhost:8080' };
    const response = await server.app.inject({
      method: 'POST',
      url: `/api${url}`,
      remoteAddress,
      headers,
      payload,
    });
    return response.json().code;
  };
  /** Sets the number of counted calls in the database, because the limits are too high to reach by calling. */
  const setUsedCount = (limit: string, count: number) =>
    server.db
      .updateTable('rate_windows')
      .set({ count })
      .where('key', 'like', `${limit}:%`)
      .execute();

  it('stop a network that floods many mailboxes with codes', async () => {
    const requestCode = (address: string) =>
      postFrom(address, '/site/code', { email: `${crypto.randomUUID()}@example.com` });
    const resultCodes: number[] = [];
    for (let n = 0; n < 201; n += 1) resultCodes.push(await requestCode('192.0.2.1'));
    expect(resultCodes).toEqual([...Array(200).fill(codes.ok), codes.tooManyRequests]);
    expect(await requestCode('192.0.2.2')).toBe(codes.ok);
  });

  it('stop a network that guesses the passwords of many accounts', async () => {
    const account = await server.register();
    const signIn = (address: string) =>
      postFrom(address, '/user/login', { email: account.email, password: account.password });
    await setUsedCount('login-address', 0);
    expect(await signIn('192.0.2.3')).toBe(codes.ok);
    await setUsedCount('login-address', 299);
    expect(await signIn('192.0.2.3')).toBe(codes.ok);
    expect(await signIn('192.0.2.3')).toBe(codes.tooManyRequests);
    expect(await signIn('192.0.2.4')).toBe(codes.ok);
    await setUsedCount('login-address', 0);
  });

  it.each(['/user/register', '/user/forgotPassword'])(
    'stop a network that guesses codes with %s',
    async (url) => {
      const guess = (address: string) =>
        postFrom(address, url, {
          email: `${crypto.randomUUID()}@example.com`,
          code: '123456',
          password: goodPassword,
          repassword: goodPassword,
        });
      expect(await guess('192.0.2.5')).toBe(codes.wrongCode);
      await setUsedCount('check-address', 299);
      expect(await guess('192.0.2.5')).toBe(codes.wrongCode);
      expect(await guess('192.0.2.5')).toBe(codes.tooManyRequests);
      expect(await guess('192.0.2.6')).toBe(codes.wrongCode);
      await setUsedCount('check-address', 0);
    },
  );

  it('expire', async () => {
    const guess = () =>
      postFrom('192.0.2.7', '/user/register', {
        email: 'nobody@example.com',
        code: '123456',
        password: goodPassword,
        repassword: goodPassword,
      });
    await guess();
    await setUsedCount('check-address', 300);
    expect(await guess()).toBe(codes.tooManyRequests);
    await server.db
      .updateTable('rate_windows')
      .set({ started_at: sql<Date>`now() - interval '601 seconds'` })
      .execute();
    expect(await guess()).toBe(codes.wrongCode);
    await setUsedCount('check-address', 0);
  });
});

describe('strangers', () => {
  const postFrom = async (remoteAddress: string, url: string, payload: object): Promise<number> => {
    const headers = { host: 'localhost:8080' };
    const request = { method: 'POST', url: `/api${url}`, remoteAddress, headers, payload } as const;
    return (await server.app.inject(request)).json().code;
  };
  /** Advances the rate limits, which use the database clock. */
  const advanceLimits = (seconds: number) =>
    server.db
      .updateTable('rate_windows')
      .set({
        started_at: sql<Date>`started_at - make_interval(secs => ${seconds})`,
        last_at: sql<Date>`last_at - make_interval(secs => ${seconds})`,
      })
      .execute();
  const reset = (email: string, code: string) => ({
    email,
    code,
    password: goodPassword,
    repassword: goodPassword,
  });

  it('cannot lock a user out of signing in or resetting the password', async () => {
    const { email, password } = await server.register();
    for (let n = 0; n < 60; n += 1) {
      const network = `198.51.100.${n % 6}`;
      await postFrom(network, '/user/login', { email, password: `guess ${n}` });
      await postFrom(network, '/user/forgotPassword', reset(email, '000000'));
      await postFrom(network, '/site/code', { email });
    }
    for (const url of ['/user/login', '/user/forgotPassword']) {
      const body = url === '/user/login' ? { email, password: 'x' } : reset(email, '000000');
      expect(await postFrom('198.51.100.250', url, body), url).toBe(codes.tooManyRequests);
    }
    // Networks that the user has signed in from aren't limited.
    expect(await postFrom('127.0.0.1', '/user/login', { email, password })).toBe(codes.ok);
    expect(await postFrom('127.0.0.1', '/site/code', { email })).toBe(codes.ok);
    const code = await server.emailedCode(email);
    expect(await postFrom('127.0.0.1', '/user/forgotPassword', reset(email, code))).toBe(codes.ok);
    // On other networks, the user has to wait.
    await advanceLimits(301);
    expect(await postFrom('203.0.113.9', '/user/login', { email, password })).toBe(codes.ok);
  });

  it('can only guess a few codes per day, regardless of the number of requested codes', async () => {
    const { email } = await server.register();
    let guesses = 0;
    for (let seconds = 0; seconds < 86_400 - 600; seconds += 600) {
      for (let n = 0; n < 4; n += 1) {
        const network = `198.51.100.${(seconds / 600 + n) % 250}`;
        await postFrom(network, '/site/code', { email });
        const code = await postFrom(network, '/user/forgotPassword', reset(email, '000000'));
        if (code !== codes.tooManyRequests) guesses += 1;
      }
      await advanceLimits(600);
    }
    expect(guesses).toBeGreaterThan(15);
    expect(guesses).toBeLessThan(40);
  });
});

describe('sessions', () => {
  const refresh = (token: string) => server.call('user/refreshToken', {}, { token });

  it('continue with the refresh token after the access token has expired', async () => {
    const account = await server.register();
    server.advanceClock(901);
    const expired = await server.call('user/info', {}, { token: account.access });
    expect(expired).toMatchObject({ code: codes.tokenExpired, data: null });
    const { code, data } = await refresh(account.refresh);
    expect(code).toBe(codes.ok);
    expect(data.refresh_token).not.toBe(account.refresh);
    const info = await server.call('user/info', {}, { token: data.access_token });
    expect(info.data.email).toBe(account.email);
  });

  it('return the same successor for a refresh whose response was lost', async () => {
    const account = await server.register();
    const [first, second] = await Promise.all([refresh(account.refresh), refresh(account.refresh)]);
    server.advanceClock(29);
    const thirdRefresh = await refresh(account.refresh);
    const successors = [first, second, thirdRefresh].map(({ data }) => data.refresh_token);
    expect(new Set(successors).size).toBe(1);
    expect((await refresh(successors[0] ?? '')).code).toBe(codes.ok);
  });

  it('continue if a phone loses power before it stores the successor', async () => {
    const account = await server.register();
    const { data: lostTokens } = await refresh(account.refresh);
    server.advanceClock(86_400);
    const { code, data: newTokens } = await refresh(account.refresh);
    expect(code).toBe(codes.ok);
    expect(newTokens.refresh_token).not.toBe(lostTokens.refresh_token);
    const { data: secondAttempt } = await refresh(account.refresh);
    expect(secondAttempt.refresh_token).toBe(newTokens.refresh_token);
    expect((await refresh(newTokens.refresh_token)).code).toBe(codes.ok);
  });

  it('end when a phone and a thief use different successors', async () => {
    const account = await server.register();
    const { data: phone } = await refresh(account.refresh);
    server.advanceClock(31);
    const { data: thief } = await refresh(account.refresh);
    expect((await refresh(phone.refresh_token)).code).toBe(codes.tokenInvalid);
    expect((await refresh(thief.refresh_token)).code).toBe(codes.tokenInvalid);
    const info = await server.call('user/info', {}, { token: thief.access_token });
    expect(info.code).toBe(codes.tokenInvalid);
  });

  it('are listed with their device and can be ended individually', async () => {
    const account = await server.register();
    const signIn = async (userAgent: string) => {
      const payload = JSON.stringify({ email: account.email, password: account.password });
      const response = await server.raw('user/login', payload, { 'user-agent': userAgent });
      return response.json().data as { access_token: string; refresh_token: string };
    };
    const phone = await signIn('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Version/19.0 Safari/604');
    const list = async (token: string) =>
      (await server.call('user/sessions', {}, { token })).data.list;
    const resultCodes = await list(account.access);
    expect(resultCodes.map(({ device, current }) => [device, current])).toEqual([
      ['Safari · iPhone', false],
      ['lightMyRequest', true],
    ]);
    const id = resultCodes[0]?.id ?? '';
    expect((await server.call('user/endSession', { id }, { token: account.access })).code).toBe(0);
    for (const response of [
      await server.call('user/info', {}, { token: phone.access_token }),
      await refresh(phone.refresh_token),
      await server.call('user/sessions', {}, { token: phone.access_token }),
    ]) {
      expect(response.code).toBe(codes.tokenInvalid);
    }
    const secondAttempt = await server.call('user/endSession', { id }, { token: account.access });
    expect(secondAttempt.code).toBe(codes.notFound);
    expect(await list(account.access)).toHaveLength(1);
  });

  it('invalidate only their own signed URLs when they end', async () => {
    const account = await server.register();
    const { data: other } = await server.call('user/login', account);
    const { id } = await uploadRecording(server, account, toneWave(1), { ext: 'wav' });
    const addressFor = async (token: string) => {
      const { data } = await server.call('task/index', { ids: [id] }, { token });
      return new URL(data.list[0]?.url ?? '');
    };
    const [ownAddress, otherAddress] = [
      await addressFor(account.access),
      await addressFor(other.access_token),
    ];
    const read = async ({ pathname, search }: URL) =>
      (await server.app.inject({ url: pathname + search })).statusCode;
    expect([await read(ownAddress), await read(otherAddress)]).toEqual([200, 200]);
    await server.call('user/logout', {}, { token: account.access });
    expect([await read(ownAddress), await read(otherAddress)]).toEqual([403, 200]);
    const withOtherSession = new URL(ownAddress);
    withOtherSession.searchParams.set('n', otherAddress.searchParams.get('n') ?? '');
    expect(await read(withOtherSession)).toBe(403);
    withOtherSession.searchParams.delete('n');
    expect(await read(withOtherSession)).toBe(403);
  });

  it('end immediately after signing out', async () => {
    const account = await server.register();
    const { data: other } = await server.call('user/login', account);
    expect((await server.call('user/logout', {}, { token: account.access })).code).toBe(codes.ok);
    expect((await server.call('user/info', {}, { token: account.access })).code).toBe(
      codes.tokenInvalid,
    );
    expect((await refresh(account.refresh)).code).toBe(codes.tokenInvalid);
    expect((await server.call('user/info', {}, { token: other.access_token })).code).toBe(codes.ok);
  });

  it('are revoked when a token is reused after its successor was used', async () => {
    const account = await server.register();
    const { data: first } = await refresh(account.refresh);
    const { data } = await refresh(first.refresh_token);
    server.advanceClock(31);
    expect((await refresh(account.refresh)).code).toBe(codes.tokenInvalid);
    expect((await refresh(data.refresh_token)).code).toBe(codes.tokenInvalid);
    const info = await server.call('user/info', {}, { token: data.access_token });
    expect(info.code).toBe(codes.tokenInvalid);
  });

  it('get one successor from concurrent refreshes, and are revoked by a late refresh', async () => {
    const account = await server.register();
    const responses = await Promise.all(Array.from({ length: 20 }, () => refresh(account.refresh)));
    const successors = new Set(responses.map(({ data }) => data.refresh_token));
    expect(successors.size).toBe(1);
    const [successor = ''] = successors;
    for (const { data } of responses) {
      const info = await server.call('user/info', {}, { token: data.access_token });
      expect(info.code).toBe(codes.ok);
    }
    server.advanceClock(31);
    // Concurrent refreshes by the thief and the user revoke the session.
    await Promise.all([
      ...Array.from({ length: 5 }, () => refresh(account.refresh)),
      refresh(successor),
    ]);
    expect((await refresh(successor)).code).toBe(codes.tokenInvalid);
    const info = await server.call(
      'user/info',
      {},
      { token: responses[0]?.data.access_token ?? '' },
    );
    expect(info.code).toBe(codes.tokenInvalid);
  });

  it('on other phones continue when one is revoked', async () => {
    const account = await server.register();
    const { data: other } = await server.call('user/login', account);
    const { data: next } = await refresh(account.refresh);
    await refresh(next.refresh_token);
    server.advanceClock(31);
    expect((await refresh(account.refresh)).code).toBe(codes.tokenInvalid);
    expect((await refresh(other.refresh_token)).code).toBe(codes.ok);
  });

  it('expire after three months of inactivity', async () => {
    const account = await server.register();
    server.advanceClock(90 * 86_400 - 60);
    const { code, data } = await refresh(account.refresh);
    expect(code).toBe(codes.ok);
    server.advanceClock(90 * 86_400 + 60);
    expect((await refresh(data.refresh_token)).code).toBe(codes.tokenInvalid);
  });

  it.each(['', 'nonsense'])('reject the refresh token %o', async (token) => {
    expect((await refresh(token)).code).toBe(codes.tokenInvalid);
  });

  it('cannot be opened by guessing the password', async () => {
    const { email, password } = await server.register();
    const resultCodes: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      resultCodes.push(
        (await server.call('user/login', { email, password: `guess number ${n}` })).code,
      );
    }
    expect(resultCodes).toEqual([...Array(10).fill(codes.wrongCredentials), codes.tooManyRequests]);
    expect((await server.call('user/login', { email, password })).code).toBe(codes.tooManyRequests);
  });

  it('leave no secrets in the log and only hashes in the database', async () => {
    const account = await server.register();
    const log = server.logged.join('\n');
    for (const secret of [account.email, account.password, account.access, account.refresh]) {
      expect(log).not.toContain(secret);
    }
    const { password_hash: hash } = await server.db
      .selectFrom('accounts')
      .select('password_hash')
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow();
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const stored = await server.db.selectFrom('refresh_tokens').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(account.refresh);
  });
});
