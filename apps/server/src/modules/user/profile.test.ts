import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { grantFor, postObject } from '../../../test/uploads.ts';
import { deleteObjectsJob } from '../../jobs/delete-objects.ts';
import type { Jobs } from '../../jobs/jobs.ts';

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
});

const toBytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const pictures = {
  png: toBytes('\x89PNG\r\n\x1a\n and so on'),
  jpg: toBytes('\xff\xd8\xff\xe0 and so on'),
  jpeg: toBytes('\xff\xd8\xff\xdb and so on'),
  webp: toBytes('RIFF\x10\x00\x00\x00WEBPVP8 '),
};

describe('a profile', () => {
  const call: TestServer['call'] = (name, body, options) =>
    server.call(name, body, { token: owner.access, ...options });
  const fetchGrant = async (account: Account, type: string, ext: string) =>
    (await server.call('oss/config', { type, ext }, { token: account.access })).data;
  /** Uploads a picture and returns its URL. */
  async function upload(ext: string, bytes: Uint8Array<ArrayBuffer>, account = owner) {
    const grant = await fetchGrant(account, 'avatar', ext);
    const stored = await postObject(server, grant, bytes);
    if (stored.statusCode !== 204) throw new Error(stored.body);
    return grant;
  }
  const read = (address: string) => {
    const { pathname, search } = new URL(address);
    return server.app.inject({ method: 'GET', url: `${pathname}${search}` });
  };
  /** Runs the enqueued "delete-objects" jobs. */
  async function deleteObjects(): Promise<void> {
    const { rows } = await sql<{ data: Jobs['delete-objects'] }>`
      delete from pgboss.job where name = 'delete-objects' returning data`.execute(server.db);
    const job = deleteObjectsJob(server.store);
    for (const { data } of rows) await job(data, new AbortController().signal);
  }

  it('has a name, which can be removed', async () => {
    const { data } = await call('user/updateNickname', { nickname: '  Ada  ' });
    expect(data.nickname).toBe('Ada');
    expect((await call('user/info')).data).toEqual(data);
    expect((await call('user/updateNickname', { nickname: '' })).data.nickname).toBe('');
  });

  it.each(Object.entries(pictures))('has a picture (%s) with a signed URL', async (ext, bytes) => {
    const grant = await upload(ext, bytes);
    const { code, data } = await call('user/updateAvatar', {
      avatar: `${grant.url}?t=${Date.now()}`,
    });
    expect(code).toBe(codes.ok);
    const response = await read(data.avatar ?? '');
    expect(response.statusCode).toBe(200);
    expect(new Uint8Array(response.rawPayload)).toEqual(bytes);
    expect(response.headers['content-type']).toBe(ext === 'jpg' ? 'image/jpeg' : `image/${ext}`);
    expect((await read(`http://localhost${new URL(data.avatar ?? '').pathname}`)).statusCode).toBe(
      403,
    );
    expect((await call('user/info')).data.avatar).toBe(data.avatar);
  });

  it('deletes a picture that is replaced or removed', async () => {
    const [first, second] = [await upload('png', pictures.png), await upload('jpg', pictures.jpg)];
    await call('user/updateAvatar', { avatar: first.url });
    // The app may send back the signed URL of the current picture, which has no effect.
    const { data: shown } = await call('user/info');
    await call('user/updateAvatar', { avatar: shown.avatar });
    await deleteObjects();
    expect(await server.store.stat(first.key)).not.toBeNull();
    await call('user/updateAvatar', { avatar: second.url });
    await deleteObjects();
    expect(await server.store.stat(first.key)).toBeNull();
    expect(await server.store.stat(second.key)).not.toBeNull();
    expect((await call('user/updateAvatar', { avatar: first.url })).code).toBe(codes.keyNotIssued);
    const { data } = await call('user/updateAvatar', { avatar: '' });
    expect(data.avatar).toBeNull();
    await deleteObjects();
    expect(await server.store.stat(second.key)).toBeNull();
    expect((await call('user/updateAvatar', { avatar: '' })).code).toBe(codes.ok);
  });

  it('keeps exactly one picture after concurrent changes', async () => {
    const grants = await Promise.all([
      upload('png', pictures.png),
      upload('jpg', pictures.jpg),
      upload('webp', pictures.webp),
    ]);
    await Promise.all(
      [...grants, ...grants].map(({ url }) => call('user/updateAvatar', { avatar: url })),
    );
    await deleteObjects();
    const { data } = await call('user/info');
    expect((await read(data.avatar ?? '')).statusCode).toBe(200);
    const storedObjects = await Promise.all(grants.map(({ key }) => server.store.stat(key)));
    expect(storedObjects.filter((object) => object !== null)).toHaveLength(1);
  });

  it.each([
    ['an HTML page', 'png', toBytes('<html><script>alert(1)</script>')],
    ['a picture in a different format', 'png', pictures.jpg],
    ['a truncated picture', 'png', pictures.png.slice(0, 4)],
    ['an empty file', 'jpg', toBytes('')],
    ['an audio file', 'webp', toBytes('RIFF\x10\x00\x00\x00WAVEfmt ')],
  ])('rejects %s as a picture', async (_case, ext, bytes) => {
    const grant = await upload(ext, bytes);
    const response = await call('user/updateAvatar', { avatar: grant.url });
    expect(response).toMatchObject({ code: codes.typeNotAccepted, data: null });
    expect((await call('user/info')).data.avatar).toBeNull();
  });

  it('rejects an object of a different account, type or store, and one that was not uploaded', async () => {
    const otherUser = await server.register();
    const theirAvatar = await upload('png', pictures.png, otherUser);
    const voice = await grantFor(server, owner, 'ogg');
    await postObject(server, voice, pictures.png);
    const neverUploaded = await fetchGrant(owner, 'avatar', 'png');
    const setAvatar = async (avatar: string) => (await call('user/updateAvatar', { avatar })).code;
    const addresses = [
      theirAvatar.url,
      theirAvatar.url.replace(/[^/]+$/, 'x.png'),
      voice.url,
      'https://elsewhere.example/x.png',
      'nonsense',
      `/store/linnet/../${theirAvatar.key}`,
    ];
    for (const address of addresses) expect(await setAvatar(address)).toBe(codes.keyNotIssued);
    expect(await setAvatar(neverUploaded.url)).toBe(codes.objectMissing);
    expect((await call('user/info')).data.avatar).toBeNull();
  });

  it.each([
    ['user/updateNickname', {}],
    ['user/updateNickname', { nickname: 7 }],
    ['user/updateNickname', { nickname: 'x'.repeat(limits.nickname.maxLength + 1) }],
    ['user/updateAvatar', {}],
    ['user/updateAvatar', { avatar: null }],
    ['user/updateAvatar', { avatar: `/${'x'.repeat(4096)}` }],
  ] as const)('rejects an invalid request to %s: %o', async (name, body) => {
    expect(await call(name, body)).toMatchObject({ code: codes.badRequest, data: null });
  });

  it.each(['user/updateNickname', 'user/updateAvatar'] as const)(
    'requires a token for %s',
    async (name) => {
      const response = await server.call(name, { nickname: 'x', avatar: '' });
      expect(response).toMatchObject({ code: codes.tokenInvalid, data: null });
    },
  );
});
