import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { UploadGrant } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { uploadOverUnreliableConnection } from '../../../test/resumable.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { grantFor, postObject, randomOpus } from '../../../test/uploads.ts';
import { resumablePath } from './resumable-routes.ts';

let server: TestServer;
let account: Account;
let address: URL;
let grant: UploadGrant;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
  address = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }));
});
afterAll(() => server.close());
beforeEach(async () => {
  grant = await grantFor(server, account);
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const formatMetadata = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(',');
const getToken = (uploadGrant: UploadGrant) => uploadGrant.resumable?.token ?? '';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const accountToken = () => bearer(account.access);

/** Injects a tus request, without a connection. */
const tus = (
  method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE',
  key: string | null,
  headers: Record<string, string>,
  payload?: Uint8Array,
) =>
  server.app.inject({
    method,
    url: key === null ? resumablePath : `${resumablePath}/${key}`,
    headers: { 'tus-resumable': '1.0.0', host: 'localhost:8080', ...headers },
    ...(payload && { payload: Buffer.from(payload) }),
  });
const create = (size: number, token = getToken(grant), fields: Record<string, string> = {}) =>
  tus('POST', null, {
    'upload-length': String(size),
    'upload-metadata': formatMetadata({ token, ...fields }),
  });
const send = (key: string, bytes: Uint8Array, offset: number, headers = accountToken()) =>
  tus(
    'PATCH',
    key,
    {
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...headers,
    },
    bytes,
  );
const head = (key: string, headers = accountToken()) => tus('HEAD', key, headers);

const fetchOffset = async (key: string) => Number((await head(key)).headers['upload-offset']);

const register = (bytes: Uint8Array, uploadGrant = grant) =>
  server.call(
    'upload/ossFile',
    {
      url: uploadGrant.url,
      file_size: bytes.length,
      sha256: sha256(bytes),
      client_flag: crypto.randomUUID(),
    },
    { token: account.access },
  );

async function expectStored(bytes: Uint8Array): Promise<void> {
  const stored = Buffer.concat(await (await server.store.read(grant.key)).toArray());
  expect(sha256(stored)).toBe(sha256(bytes));
  const { code, data } = await register(bytes);
  expect(code).toBe(codes.ok);
  expect(data).toMatchObject({ file_size: bytes.length, sha256: sha256(bytes) });
  const { pathname, search } = new URL(data.url ?? '');
  const { rawPayload } = await server.app.inject(pathname + search);
  expect(sha256(rawPayload)).toBe(sha256(bytes));
}

describe('a resumable upload', () => {
  it('starts with the token of a grant and becomes a recording', async () => {
    const bytes = randomOpus(1000);
    const created = await create(bytes.length, getToken(grant), { filetype: 'audio/ogg' });
    expect(created.statusCode).toBe(201);
    expect(created.headers.location).toBe(`http://localhost:8080${resumablePath}/${grant.key}`);
    expect(grant.resumable?.url).toBe(`http://localhost:8080${resumablePath}`);
    for (const [from, to] of [
      [0, 400],
      [400, 999],
      [999, 1000],
    ] as const) {
      expect(await server.store.stat(grant.key)).toBeNull();
      const sent = await send(grant.key, bytes.subarray(from, to), from);
      expect(sent.statusCode).toBe(204);
      expect(sent.headers['upload-offset']).toBe(String(to));
    }
    const done = await head(grant.key);
    expect(done.headers).toMatchObject({ 'upload-offset': '1000', 'upload-length': '1000' });
    await expectStored(bytes);
  });

  it('resumes after the connection is lost at any offset', async () => {
    const bytes = randomOpus(3_000_000);
    for (const share of [Math.random(), Math.random(), 0.001, 0.999]) {
      grant = await grantFor(server, account);
      const cutAt = Math.ceil(share * bytes.length);
      await create(bytes.length);
      await sendAndCut(bytes, cutAt);
      let offset = 0;
      await vi.waitUntil(
        async () => {
          offset = await fetchOffset(grant.key);
          expect(offset).toBeLessThanOrEqual(cutAt);
          if (offset === 0) return false;
          const { statusCode } = await send(grant.key, bytes.subarray(offset), offset);
          // 409: the server is still storing the data it received before the connection was lost.
          expect([204, 409]).toContain(statusCode);
          return statusCode === 204;
        },
        { timeout: 60_000 },
      );
      // All received data was stored, except for one or two buffers.
      expect(cutAt - offset).toBeLessThan(512 * 1024);
      await expectStored(bytes);
    }
  });

  it('completes with tus-js-client, which sends the same headers with every request', async () => {
    const bytes = randomOpus(100_000);
    await new Promise<void>((resolve, reject) => {
      new Upload(Buffer.from(bytes), {
        endpoint: new URL(resumablePath, address).href,
        headers: { Authorization: `Bearer ${getToken(grant)}` },
        onSuccess: () => resolve(),
        onError: reject,
      }).start();
    });
    await expectStored(bytes);
  });

  it('completes with tus-js-client over an unreliable connection', async () => {
    const bytes = randomOpus(6_000_000);
    const cuts = await uploadOverUnreliableConnection(
      address,
      account,
      grant,
      Buffer.from(bytes),
      [0.1, 0.3, 0.2],
    );
    expect(cuts).toBe(3);
    await expectStored(bytes);
  });

  it('prefers a new connection over a dead one', async () => {
    const bytes = randomOpus(200_000);
    await create(bytes.length);
    // The server receives half of the data, after which the connection stays open but idle.
    const deadRequest = patch(bytes.length);
    deadRequest.write(bytes.subarray(0, 100_000));
    await vi.waitUntil(async () => (await lockHolder()) !== null, { timeout: 60_000 });
    const offset = await fetchOffset(grant.key);
    expect(offset).toBe(100_000);
    expect((await send(grant.key, bytes.subarray(offset), offset)).statusCode).toBe(204);
    deadRequest.destroy();
    await expectStored(bytes);
  });

  it('can be canceled and started again', async () => {
    await create(10);
    await send(grant.key, Buffer.from('12345'), 0);
    expect((await tus('DELETE', grant.key, accountToken())).statusCode).toBe(204);
    expect((await head(grant.key)).statusCode).toBe(404);
    const bytes = randomOpus(60);
    expect((await create(bytes.length)).statusCode).toBe(201);
    expect((await send(grant.key, bytes, 0)).statusCode).toBe(204);
    // A complete upload can no longer be canceled.
    expect((await tus('DELETE', grant.key, accountToken())).statusCode).toBe(404);
    await expectStored(bytes);
  });

  it('may be empty, and may include data in its creation', async () => {
    expect((await create(0)).statusCode).toBe(201);
    expect(await server.store.stat(grant.key)).toMatchObject({ size: 0 });
    grant = await grantFor(server, account);
    const bytes = randomOpus(60);
    const headers = {
      'upload-length': '60',
      'upload-metadata': formatMetadata({ token: getToken(grant) }),
      'content-type': 'application/offset+octet-stream',
    };
    const response = await tus('POST', null, headers, bytes);
    expect(response.statusCode).toBe(201);
    expect(response.headers['upload-offset']).toBe('60');
    await expectStored(bytes);
  });
});

describe('tus rejects', () => {
  const noGrant = async () => {
    const response = await create(1);
    return [response.statusCode, await server.store.stat(grant.key)];
  };

  it('a creation without a valid token', async () => {
    const form = grant.credentials?.sessionToken ?? '';
    const [body = '', seal = ''] = getToken(grant).split('.');
    const terms = JSON.parse(Buffer.from(body, 'base64url').toString());
    const greedy = Buffer.from(JSON.stringify({ ...terms, maxSize: 9e15 })).toString('base64url');
    for (const token of ['', 'x', form, account.access, `${greedy}.${seal}`, `${body}.`]) {
      expect((await create(1, token)).statusCode).toBe(401);
    }
    expect((await tus('POST', null, { 'upload-length': '1', ...accountToken() })).statusCode).toBe(
      401,
    );
  });

  it('a creation after the grant expired', async () => {
    server.advanceClock(3601);
    expect(await noGrant()).toEqual([401, null]);
    server.advanceClock(-3601);
  });

  it('a file that is already a recording', async () => {
    const bytes = randomOpus(60);
    await postObject(server, grant, bytes);
    await register(bytes);
    expect((await create(1)).statusCode).toBe(409);
  });

  it('data for a registered recording, or for an upload whose grant was deleted', async () => {
    const storedBytes = randomOpus(60);
    for (const createHeaders of [accountToken, () => bearer(getToken(grant))]) {
      grant = await grantFor(server, account);
      await create(storedBytes.length);
      await postObject(server, grant, storedBytes);
      expect((await register(storedBytes)).code).toBe(codes.ok);
      expect((await send(grant.key, Buffer.from('other'), 0, createHeaders())).statusCode).toBe(
        409,
      );
      const stored = Buffer.concat(await (await server.store.read(grant.key)).toArray());
      expect(stored.equals(storedBytes)).toBe(true);
    }
    grant = await grantFor(server, account);
    await create(5);
    await server.db.deleteFrom('upload_leaves').where('key', '=', grant.key).execute();
    for (const headers of [accountToken(), bearer(getToken(grant))]) {
      expect((await send(grant.key, Buffer.from('other'), 0, headers)).statusCode).toBe(404);
    }
    expect(await server.store.stat(grant.key)).toBeNull();
  });

  it('a file larger than the grant allows', async () => {
    expect((await create(limits.upload.voiceBytes + 1)).statusCode).toBe(413);
    const { data: avatar } = await server.call(
      'oss/config',
      { type: 'avatar', ext: 'png' },
      { token: account.access },
    );
    expect((await create(avatar.maxSize + 1, getToken(avatar))).statusCode).toBe(413);
    expect((await create(avatar.maxSize, getToken(avatar))).statusCode).toBe(201);
  });

  it('more data than the declared length', async () => {
    await create(5);
    expect((await send(grant.key, Buffer.from('123456'), 0)).statusCode).toBe(413);
    expect((await head(grant.key)).headers['upload-offset']).toBe('0');
  });

  it('a wrong media type, an unknown length and an unsupported protocol version', async () => {
    expect((await create(1, getToken(grant), { filetype: 'text/html' })).statusCode).toBe(415);
    const metadata = { 'upload-metadata': formatMetadata({ token: getToken(grant) }) };
    const deferred = await tus('POST', null, { ...metadata, 'upload-defer-length': '1' });
    expect(deferred.statusCode).toBe(501);
    const version = { ...metadata, 'upload-length': '1', 'tus-resumable': '0.2.2' };
    expect((await tus('POST', null, version)).statusCode).toBe(400);
    const none = { ...metadata, 'upload-length': '1', 'tus-resumable': '' };
    expect((await tus('POST', null, none)).statusCode).toBe(412);
  });

  it('a wrong offset and a wrong or missing content type', async () => {
    await create(5);
    expect((await send(grant.key, Buffer.from('12'), 1)).statusCode).toBe(409);
    const offset = { 'upload-offset': '0', ...accountToken() };
    expect((await tus('PATCH', grant.key, offset, Buffer.from('1'))).statusCode).toBe(403);
    const json = { ...offset, 'content-type': 'application/json' };
    expect((await tus('PATCH', grant.key, json, Buffer.from('1'))).statusCode).toBe(400);
    expect((await head(grant.key)).headers['upload-offset']).toBe('0');
  });

  it('other accounts, without revealing whether the upload exists', async () => {
    await create(5);
    const otherUser = await server.register();
    const other = await grantFor(server, otherUser);
    const absentKey = grant.key.replace(/[^/]+$/, 'absent.ogg');
    for (const key of [grant.key, absentKey, 'x', '%2e%2e%2fx', `${grant.key}.json`]) {
      for (const headers of [{}, bearer('x'), bearer(getToken(other)), bearer(account.refresh)]) {
        expect((await head(key, headers as never)).statusCode, key).toBe(401);
        expect((await tus('DELETE', key, headers as never)).statusCode, key).toBe(401);
      }
      const theirHeaders = bearer(otherUser.access);
      expect((await head(key, theirHeaders)).statusCode, key).toBe(404);
      const sent = await send(key, Buffer.from('1'), 0, theirHeaders);
      expect([sent.statusCode, sent.body]).toEqual([404, 'The file for this url was not found\n']);
      expect((await tus('DELETE', key, theirHeaders)).statusCode, key).toBe(404);
    }
    expect((await head(grant.key)).headers['upload-offset']).toBe('0');
  });

  it('the grant token a day after the grant expired, but not the access token', async () => {
    await create(5);
    const sealed = bearer(getToken(grant));
    server.advanceClock(24 * 3600);
    expect((await send(grant.key, Buffer.from('1'), 0, sealed)).statusCode).toBe(204);
    server.advanceClock(2 * 3600);
    expect((await send(grant.key, Buffer.from('2'), 1, sealed)).statusCode).toBe(401);
    const { data } = await server.call('user/login', account);
    expect((await send(grant.key, Buffer.from('2'), 1, bearer(data.access_token))).statusCode).toBe(
      204,
    );
    server.advanceClock(-26 * 3600);
  });
});

describe('pages from other origins', () => {
  const options = (headers: Record<string, string>) =>
    server.app.inject({ method: 'OPTIONS', url: `${resumablePath}/${grant.key}`, headers });

  it('may continue an upload if they may make calls', async () => {
    const origin = 'capacitor://localhost';
    const before = await options({
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,tus-resumable,upload-offset,content-type',
    });
    expect(before.statusCode).toBe(204);
    expect(before.headers['access-control-allow-origin']).toBe(origin);
    expect(before.headers['access-control-allow-methods']).toMatch(/PATCH/);
    expect(before.headers['access-control-allow-headers']).toMatch(/Upload-Offset/);
    await create(5);
    const response = await head(grant.key, { ...accountToken(), origin } as never);
    expect(response.headers['access-control-allow-origin']).toBe(origin);
    expect(response.headers['access-control-expose-headers']).toMatch(/Upload-Offset/);
    const foreign = await head(grant.key, {
      ...accountToken(),
      origin: 'https://evil.example',
    } as never);
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('may query the supported protocol', async () => {
    const { statusCode, headers } = await options({});
    expect(statusCode).toBe(204);
    expect(headers['tus-version']).toBe('1.0.0');
    expect(headers['tus-extension']).toBe('creation,creation-with-upload,termination,expiration');
    expect(headers['tus-max-size']).toBe(String(limits.upload.voiceBytes));
  });
});

async function lockHolder(): Promise<string | null> {
  const { lock_holder } = await server.db
    .selectFrom('upload_leaves')
    .select('lock_holder')
    .where('key', '=', grant.key)
    .executeTakeFirstOrThrow();
  return lock_holder;
}

/** Opens a PATCH request at offset 0 over a real connection. The caller sends the body. */
function patch(length: number) {
  const opened = request({
    host: address.hostname,
    port: address.port,
    method: 'PATCH',
    path: `${resumablePath}/${grant.key}`,
    headers: {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'content-length': length,
      'upload-offset': '0',
      ...accountToken(),
    },
  });
  opened.on('error', () => undefined);
  return opened;
}

/** Sends the first bytes over a new connection, and then destroys the connection. */
async function sendAndCut(bytes: Uint8Array, cutAt: number): Promise<void> {
  const socket = connect(Number(address.port), address.hostname);
  const head = [
    `PATCH ${resumablePath}/${grant.key} HTTP/1.1`,
    `Host: ${address.host}`,
    `Authorization: Bearer ${account.access}`,
    'Tus-Resumable: 1.0.0',
    'Content-Type: application/offset+octet-stream',
    `Content-Length: ${bytes.length}`,
    'Upload-Offset: 0',
    '\r\n',
  ].join('\r\n');
  socket.on('error', () => undefined);
  socket.write(head);
  socket.write(bytes.subarray(0, cutAt), () => socket.destroy());
  await once(socket, 'close');
}
