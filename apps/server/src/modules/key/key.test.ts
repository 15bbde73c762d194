import type { CallName } from '@linnet/contract';
import { calls } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { callScopes, type KeyScope } from '@linnet/contract/key-scopes';
import { limits } from '@linnet/contract/limits';
import { voiceSetting } from '@linnet/contract/statuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { operation } from '../../../test/sync.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';
import { keyLimit } from '../../http/gate.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function create(owner: Account, scopes: KeyScope[], days?: number) {
  const body = { name: 'Notes', scopes, ...(days !== undefined && { expires_days: days }) };
  const { code, data } = await server.call('user/createKey', body, { token: owner.access });
  expect(code).toBe(codes.ok);
  return data;
}
const list = async (owner: Account) =>
  (await server.call('user/keys', {}, { token: owner.access })).data.list;
const index = (key: string) => server.call('task/index', { limit: 10, page: 1 }, { token: key });

/** Sends a call with an empty body, and returns its code. */
async function fetchCode(name: CallName, token: string): Promise<number> {
  const { method, path } = calls[name];
  const response = await server.app.inject({
    method,
    url: `/api${path}`,
    headers: { host: 'localhost:8080', authorization: `Bearer ${token}` },
    ...(method === 'POST' && { payload: {} }),
  });
  return (response.json() as { code: number }).code;
}

describe('an API key', () => {
  it('reads and writes the recordings of its account only', async () => {
    const [owner, other] = [await server.register(), await server.register()];
    const [myRecording, theirRecording] = [
      await transcribedRecording(server, owner),
      await transcribedRecording(server, other),
    ];
    const { key } = await create(owner, ['read', 'write']);
    const { data } = await index(key);
    expect(data.list.map(({ id }) => id)).toEqual([myRecording.id]);
    const rename = (id: string) =>
      server.call('radio/rename', { id, name: 'Renamed' }, { token: key });
    expect((await rename(myRecording.id)).code).toBe(codes.ok);
    expect((await rename(theirRecording.id)).code).toBe(codes.notFound);
    expect((await server.call('task/detail', { id: theirRecording.id }, { token: key })).code).toBe(
      codes.notFound,
    );
    // The audio can be read with the URL from the response.
    const url = data.list[0]?.url ?? '';
    const { pathname, search } = new URL(url);
    const audio = await server.app.inject({
      url: pathname + search,
      headers: { host: 'localhost:8080' },
    });
    expect(audio.statusCode).toBe(200);
  });

  it('allows exactly the calls in its scopes', async () => {
    const owner = await server.register();
    const keys = {
      read: (await create(owner, ['read'])).key,
      write: (await create(owner, ['write'])).key,
    };
    for (const [name, scope] of Object.entries(callScopes)) {
      if ('form' in calls[name as CallName]) continue;
      for (const [held, key] of Object.entries(keys)) {
        const code = await fetchCode(name as CallName, key);
        const isAllowed = scope === held;
        expect(code === codes.keyNotAllowed, `${name} with ${held}`).toBe(!isAllowed);
        expect(code, name).not.toBe(codes.tokenInvalid);
      }
    }
  });

  it('is shown once, stored as a hash, and listed with its last use', async () => {
    const owner = await server.register();
    const { id, key } = await create(owner, ['read'], 30);
    const [created] = await list(owner);
    expect(created).toMatchObject({ id, name: 'Notes', scopes: ['read'], last_used_at: null });
    await index(key);
    const [used] = await list(owner);
    expect(used?.last_used_at).not.toBeNull();
    expect(JSON.stringify(used)).not.toContain(key);
    const rows = await server.db.selectFrom('api_keys').selectAll().execute();
    expect(rows.map(({ hash }) => hash.toString())).not.toContain(key);
    // The key isn't listed as a signed-in device.
    const { data } = await server.call('user/sessions', {}, { token: owner.access });
    expect(data.list.every((session) => session.id !== id)).toBe(true);
  });

  it('becomes invalid when it expires, is revoked, or the password changes', async () => {
    const owner = await server.register();
    const [expiring, revoked, kept] = [
      await create(owner, ['read'], 1),
      await create(owner, ['read']),
      await create(owner, ['read']),
    ];
    server.advanceClock(86_401);
    try {
      expect((await index(expiring.key)).code).toBe(codes.tokenInvalid);
      expect((await index(kept.key)).code).toBe(codes.ok);
    } finally {
      server.advanceClock(-86_401);
    }
    const { code } = await server.call(
      'user/revokeKey',
      { id: revoked.id },
      { token: owner.access },
    );
    expect(code).toBe(codes.ok);
    expect((await index(revoked.key)).code).toBe(codes.tokenInvalid);
    expect((await list(owner)).map(({ id }) => id).sort()).toEqual([expiring.id, kept.id].sort());

    const password = 'another good password';
    const change = { old_password: owner.password, password, repassword: password };
    expect((await server.call('user/updatePassword', change, { token: owner.access })).code).toBe(
      codes.ok,
    );
    expect((await index(kept.key)).code).toBe(codes.tokenInvalid);
    expect(await list(owner)).toEqual([]);
  });

  it('has a rate limit of its own, which does not slow down the app', async () => {
    const owner = await server.register();
    const { key } = await create(owner, ['read']);
    expect((await index(key)).code).toBe(codes.ok);
    const counters = server.db.updateTable('rate_windows').where('key', 'like', 'key:%');
    await counters.set({ count: keyLimit.count }).execute();
    expect((await index(key)).code).toBe(codes.tooManyRequests);
    expect((await index(owner.access)).code).toBe(codes.ok);
  });

  it('cannot change settings by a synced operation', async () => {
    const owner = await server.register();
    const { key } = await create(owner, ['write']);
    const { group, key: name } = voiceSetting;
    const ops = [
      operation({
        type: 'setting.set',
        group_name: group,
        config_key: name,
        config_value: '1',
      }),
    ];
    expect((await server.call('sync/apply', { ops }, { token: key })).code).toBe(
      codes.keyNotAllowed,
    );
    const { data } = await server.call('user/config', {}, { token: owner.access });
    expect(data[group]?.[name]).toBe('0');
  });

  it('requires the password for its creation unless it was entered recently', async () => {
    const owner = await server.register();
    server.advanceClock(limits.passwordFreshSeconds + 1);
    try {
      const body = { name: 'Notes', scopes: ['read' as const] };
      const request = (password?: string) =>
        server.call(
          'user/createKey',
          { ...body, ...(password !== undefined && { password }) },
          { token: owner.access },
        );
      expect((await request()).code).toBe(codes.passwordNeeded);
      expect((await request('wrong')).code).toBe(codes.wrongPassword);
      expect((await request(owner.password)).code).toBe(codes.ok);
    } finally {
      server.advanceClock(-limits.passwordFreshSeconds - 1);
    }
  });

  it('invalidates its signed URLs when it expires', async () => {
    const owner = await server.register();
    await transcribedRecording(server, owner);
    const { key } = await create(owner, ['read'], 1);
    // Otherwise the URL would be valid for hours.
    server.advanceClock(86_000);
    const url = new URL((await index(key)).data.list[0]?.url ?? '');
    const read = () =>
      server.app.inject({ url: url.pathname + url.search, headers: { host: 'localhost:8080' } });
    expect((await read()).statusCode).toBe(200);
    server.advanceClock(500);
    expect((await read()).statusCode).toBe(403);
    server.advanceClock(-86_500);
  });

  it('is refused to an account that already has fifty', async () => {
    const owner = await server.register();
    for (let n = 0; n < limits.keys.count; n++) await create(owner, ['read']);
    const body = { name: 'One more', scopes: ['read' as const] };
    expect((await server.call('user/createKey', body, { token: owner.access })).code).toBe(
      codes.limitReached,
    );
  });
});
