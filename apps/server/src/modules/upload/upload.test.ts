import { createHash } from 'node:crypto';
import type { UploadGrant } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { cosFields, signCosPost } from '@linnet/contract/cos-post';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discarded } from '../../../test/jobs.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import {
  grantFor,
  postForm,
  postObject,
  randomOpus,
  toneWave,
  uploadRecording,
} from '../../../test/uploads.ts';
import { parseRange } from '../../http/send-object.ts';

let server: TestServer;
let account: Account;
let otherUser: Account;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
  otherUser = await server.register();
});
afterAll(() => server.close());

const bytes = randomOpus(60);
const errorCode = (body: string) => /<Code>(\w+)<\/Code>/.exec(body)?.[1];

describe('POST Object', () => {
  it('stores the file of a signed form', async () => {
    const grant = await grantFor(server, account);
    const response = await postObject(server, grant, bytes);
    expect(response.statusCode).toBe(204);
    expect(response.body).toBe('');
    expect(await server.store.stat(grant.key)).toMatchObject({ size: bytes.length });
  });

  it.each([
    ['200', 200],
    ['201', 201],
    ['204', 204],
    ['404', 204],
    ['', 204],
  ])('responds with the status requested by the form: %s', async (requested, status) => {
    const grant = await grantFor(server, account);
    const response = await postObject(server, grant, bytes, (fields) => {
      fields[cosFields.successStatus] = requested;
    });
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    expect(response.statusCode).toBe(status);
    const location = `http://localhost${new URL(grant.url).pathname}`;
    expect(response.headers).toMatchObject({ location, etag });
    const elements = `<Location>${location}</Location><Bucket>${grant.bucket}</Bucket><Key>${grant.key}</Key><ETag>${etag}</ETag>`;
    if (status === 201) expect(response.body).toContain(`<PostResponse>${elements}</PostResponse>`);
    else expect(response.body).toBe('');
  });

  it('accepts fields in any order, with names in any case', async () => {
    const grant = await grantFor(server, account);
    const fields = await signCosPost(grant, { contentType: 'audio/ogg', size: bytes.length });
    const reversed = Object.entries(fields)
      .reverse()
      .map(([name, value]) => [name.toUpperCase(), value] as const);
    const form = [...reversed, ['file', new Blob([bytes])] as const];
    expect((await postForm(server, grant.uploadUrl, form)).statusCode).toBe(204);
  });

  it('accepts the same form again', async () => {
    const grant = await grantFor(server, account);
    expect((await postObject(server, grant, bytes)).statusCode).toBe(204);
    expect((await postObject(server, grant, bytes)).statusCode).toBe(204);
  });

  it('rejects a form for a registered recording and for a deleted grant', async () => {
    const grant = await grantFor(server, account);
    await postObject(server, grant, bytes);
    const body = { url: grant.url, file_size: bytes.length, client_flag: crypto.randomUUID() };
    const registered = await server.call('upload/ossFile', body, { token: account.access });
    expect(registered.code).toBe(codes.ok);
    const other = new TextEncoder().encode('OggS and something else');
    const overwrite = await postObject(server, grant, other);
    expect([overwrite.statusCode, errorCode(overwrite.body)]).toEqual([403, 'AccessDenied']);
    expect(await server.store.stat(grant.key)).toMatchObject({ size: bytes.length });
    const deletedGrant = await grantFor(server, account);
    await server.db.deleteFrom('upload_leaves').where('key', '=', deletedGrant.key).execute();
    const afterDeletion = await postObject(server, deletedGrant, bytes);
    expect([afterDeletion.statusCode, errorCode(afterDeletion.body)]).toEqual([
      403,
      'AccessDenied',
    ]);
    expect(await server.store.stat(deletedGrant.key)).toBeNull();
  });

  /** Forms that differ from a valid form in one detail. */
  const changes: [string, string, (fields: Record<string, string>) => void][] = [
    ['a different key', 'AccessDenied', (f) => Object.assign(f, { key: `${f.key}x` })],
    ['a different type', 'AccessDenied', (f) => Object.assign(f, { 'Content-Type': 'text/html' })],
    ['no signature', 'SignatureDoesNotMatch', (f) => delete f['q-signature']],
    [
      'a wrong signature',
      'SignatureDoesNotMatch',
      (f) => Object.assign(f, { 'q-signature': 'ab' }),
    ],
    ['no session token', 'AccessDenied', (f) => delete f['x-cos-security-token']],
    ['a different access key', 'AccessDenied', (f) => Object.assign(f, { 'q-ak': 'LN00' })],
    [
      'a different algorithm',
      'AccessDenied',
      (f) => Object.assign(f, { 'q-sign-algorithm': 'md5' }),
    ],
    [
      'a changed policy',
      'SignatureDoesNotMatch',
      (f) => Object.assign(f, { policy: btoa(atob(f.policy ?? '').replace('0,', '0, ')) }),
    ],
    [
      'a session token with a different key inside',
      'AccessDenied',
      (f) => {
        const [body = '', seal] = (f['x-cos-security-token'] ?? '').split('.');
        const grant = JSON.parse(Buffer.from(body, 'base64url').toString());
        const other = Buffer.from(JSON.stringify({ ...grant, maxSize: 9e15 })).toString(
          'base64url',
        );
        f['x-cos-security-token'] = `${other}.${seal}`;
      },
    ],
  ];
  it.each(changes)('rejects %s', async (_case, code, change) => {
    const grant = await grantFor(server, account);
    const response = await postObject(server, grant, bytes, change);
    expect(response.statusCode).toBe(403);
    expect(errorCode(response.body)).toBe(code);
    expect(await server.store.stat(grant.key)).toBeNull();
  });

  it('rejects a file larger than the policy allows', async () => {
    const grant = await grantFor(server, account);
    const response = await postObject(server, { ...grant, maxSize: bytes.length - 1 }, bytes);
    expect(response.statusCode).toBe(400);
    expect(errorCode(response.body)).toBe('EntityTooLarge');
    expect(await server.store.stat(grant.key)).toBeNull();
  });

  it('limits the size of an avatar regardless of the policy', async () => {
    const body = { type: 'avatar', ext: 'png' };
    const { data: grant } = await server.call('oss/config', body, { token: account.access });
    const large = new Uint8Array(grant.maxSize + 1);
    const generous = { ...grant, maxSize: 1e12 };
    const response = await postObject(server, generous, large, (fields) => {
      fields['Content-Type'] = 'image/png';
    });
    expect(errorCode(response.body)).toBe('EntityTooLarge');
    expect(await server.store.stat(grant.key)).toBeNull();
  });

  it('rejects an expired form', async () => {
    const other = await startTestServer();
    const grant = await grantFor(other, await other.register());
    other.advanceClock(3601);
    const response = await postObject(other, grant, bytes);
    expect(response.statusCode).toBe(403);
    expect(errorCode(response.body)).toBe('ExpiredToken');
    await other.close();
  });

  it('rejects a signature made for another grant', async () => {
    const [ownGrant, theirGrant] = [
      await grantFor(server, account),
      await grantFor(server, otherUser),
    ];
    const mixed: UploadGrant = { ...ownGrant, key: theirGrant.key };
    expect(errorCode((await postObject(server, mixed, bytes)).body)).toBe('AccessDenied');
  });

  it.each([
    ['no file', [['key', 'x']]],
    ['the file under a different name', [['upload', new Blob(['x'])]]],
  ] as const)('rejects a form with %s', async (_case, form) => {
    const response = await postForm(server, '/store/linnet', form);
    expect(response.statusCode).toBe(400);
    expect(errorCode(response.body)).toBe('MalformedPOSTRequest');
  });

  it('rejects a body that is not a form', async () => {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', url: '/store/linnet', headers, payload: '{}' } as const;
    const response = await server.app.inject(request);
    expect(errorCode(response.body)).toBe('MalformedPOSTRequest');
  });
});

describe('the upload API', () => {
  const call: TestServer['call'] = (name, body, options) =>
    server.call(name, body, { token: account.access, ...options });
  const register = (grant: UploadGrant, change: object = {}) =>
    call('upload/ossFile', {
      name: 'Lunch',
      source: 1,
      url: grant.url,
      file_size: bytes.length,
      mime_type: 'audio/ogg',
      ext: 'ogg',
      total_time: 61.5,
      sn: 'SN7',
      client_flag: crypto.randomUUID(),
      ...change,
    });

  it('issues a scoped, short-lived grant for one key', async () => {
    const { code, data } = await call('oss/config', { type: 'voice_file', ext: 'wav' });
    expect(code).toBe(codes.ok);
    expect(data).toMatchObject({ provider: 'local', bucket: 'linnet' });
    expect(data.key).toMatch(new RegExp(`^voice/${account.id}/[0-9a-f-]{36}\\.wav$`));
    expect(data.url).toBe(`${data.uploadUrl}/${data.key}`);
    expect(data.uploadUrl).toBe('http://localhost:8080/store/linnet');
    expect(data.expiredTime - data.startTime).toBeLessThanOrEqual(3660);
    expect(Date.parse(data.expiration)).toBe(data.expiredTime * 1000);
  });

  it.each([
    ['typeNotAccepted', { type: 'voice_file', ext: 'exe' }],
    ['typeNotAccepted', { type: 'avatar', ext: 'ogg' }],
    ['typeNotAccepted', { type: 'voice_file', ext: 'constructor' }],
    ['badRequest', { type: 'log', ext: 'ogg' }],
    ['badRequest', { ext: 'ogg' }],
    ['badRequest', { type: 'voice_file', ext: 1 }],
  ] as const)('returns %s for a grant request with %o', async (reason, body) => {
    expect(await call('oss/config', body)).toMatchObject({ code: codes[reason], data: null });
  });

  it('registers a stored object as a recording and finds it by its client flag', async () => {
    const grant = await grantFor(server, account);
    await postObject(server, grant, bytes);
    const flag = crypto.randomUUID();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { code, data } = await register(grant, { client_flag: flag, sha256 });
    expect(code).toBe(codes.ok);
    expect(data).toMatchObject({
      name: 'Lunch',
      source: 1,
      sn: 'SN7',
      ext: 'ogg',
      file_size: bytes.length,
      total_time: 62,
      client_flag: flag,
      status: null,
    });
    const ownCheck = await call('upload/checkOssFile', { client_flag: flag });
    expect(ownCheck.data?.id).toBe(data.id);
    const theirResponse = await call(
      'upload/checkOssFile',
      { client_flag: flag },
      { token: otherUser.access },
    );
    expect(theirResponse).toMatchObject({ code: codes.ok, data: null });
  });

  it('stores valid waveform peaks and rejects others', async () => {
    const grant = await grantFor(server, account);
    await postObject(server, grant, bytes);
    const flag = crypto.randomUUID();
    const registerWithPeaks = (peaks: string) => register(grant, { client_flag: flag, peaks });
    for (const wrongPeaks of ['one, two', 'AAAA'.repeat(55)]) {
      expect((await registerWithPeaks(wrongPeaks)).code).toBe(codes.badRequest);
    }
    expect(await registerWithPeaks('AID/')).toMatchObject({
      code: codes.ok,
      data: { peaks: 'AID/' },
    });
    const { data } = await call('sync/changes', {});
    const recordingChange = data.changes.find(
      (change) => change.kind === 'recording' && change.recording.client_flag === flag,
    );
    expect(recordingChange).toMatchObject({ recording: { peaks: 'AID/' } });
  });

  it.each([
    ['meeting', { source: 0, scene: 'meeting' }],
    ['audio', { source: 0, scene: 'audio' }],
    // Clients built to the specification don't send a scene.
    ['call', { source: 1 }],
    ['note', { source: 0 }],
    ['audio', { source: 0, sn: '' }],
  ])('registers and syncs a recording of type %s from %j', async (scene, fields) => {
    const grant = await grantFor(server, account);
    await postObject(server, grant, bytes);
    const { data: registered } = await register(grant, fields);
    expect(registered).toMatchObject({ source: fields.source, scene });
    const { data } = await call('sync/changes', {});
    expect(
      data.changes.flatMap((change) =>
        change.kind === 'recording' && change.recording.id === registered.id
          ? [change.recording.scene]
          : [],
      ),
    ).toEqual([scene]);
  });

  it('rejects an unknown type of recording', async () => {
    const grant = await grantFor(server, account);
    await postObject(server, grant, bytes);
    expect(await register(grant, { scene: 'lecture' })).toMatchObject({ code: codes.badRequest });
  });

  it('syncs which recordings must not be transcribed automatically', async () => {
    const flags: string[] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const [index, client_flag] of flags.entries()) {
      const grant = await grantFor(server, account);
      await postObject(server, grant, bytes);
      await register(grant, { client_flag, ...(index === 0 && { auto_transcribe: false }) });
    }
    const { data } = await call('sync/changes', {});
    const autoTranscribe = data.changes.flatMap((change) =>
      change.kind === 'recording' && flags.includes(change.recording.client_flag)
        ? [change.recording.auto_transcribe]
        : [],
    );
    expect(autoTranscribe).toEqual([false, true]);
  });

  it('measures the duration instead of trusting the client', async () => {
    const wave = toneWave(2.5);
    const recording = await uploadRecording(server, account, wave, { ext: 'wav', totalTime: 9999 });
    expect(recording.total_time).toBe(3);
  });

  it('registers a client flag once, even by concurrent calls', async () => {
    const flag = crypto.randomUUID();
    const grants = await Promise.all([1, 2, 3].map(() => grantFor(server, account)));
    await Promise.all(grants.map((grant) => postObject(server, grant, bytes)));
    const responses = await Promise.all(
      grants.map((grant) => register(grant, { client_flag: flag })),
    );
    expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1);
    const discardedKeys = await discarded(server);
    const remaining = grants.filter(({ key }) => !discardedKeys.includes(key));
    expect(remaining).toHaveLength(1);
    const [used] = remaining as [UploadGrant];
    expect((await register(used, { client_flag: flag })).data.id).toBe(responses[0]?.data.id);
  });

  it('accepts the audio again after the object disappeared from the store', async () => {
    const flag = crypto.randomUUID();
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(() => grantFor(server, account)),
    );
    if (!first || !second || !third) throw new Error('no grants');
    for (const grant of [first, second, third]) await postObject(server, grant, bytes);
    const { data } = await register(first, { client_flag: flag });
    const checkFile = () => call('upload/checkOssFile', { client_flag: flag });
    expect((await checkFile()).data).toMatchObject({ id: data.id, url: expect.any(String) });
    await server.store.delete(first.key);
    expect((await checkFile()).data).toMatchObject({ id: data.id, url: null });
    const restored = await register(second, { client_flag: flag });
    expect(restored.data).toMatchObject({ id: data.id, url: expect.stringContaining(second.key) });
    expect((await checkFile()).data?.url).toContain(second.key);
    // Existing audio isn't replaced.
    const redundant = await register(third, { client_flag: flag });
    expect(redundant.data.url).toContain(second.key);
    expect(await discarded(server)).toContain(third.key);
    expect(await discarded(server)).not.toContain(second.key);
  });

  it('does not discard a redundant object that belongs to another recording', async () => {
    const [flag, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const [first, second] = [await grantFor(server, account), await grantFor(server, account)];
    for (const grant of [first, second]) await postObject(server, grant, bytes);
    await register(first, { client_flag: flag });
    const { data } = await register(second, { client_flag: other });
    expect((await register(second, { client_flag: flag })).data.url).toContain(first.key);
    expect(await discarded(server)).not.toContain(second.key);
    const { pathname, search } = new URL(data.url ?? '');
    const { rawPayload } = await server.app.inject(pathname + search);
    expect(rawPayload.equals(bytes)).toBe(true);
  });

  it('returns a specific code for each mismatch between the object and the metadata', async () => {
    const unusedGrant = await grantFor(server, account);
    expect((await register(unusedGrant)).code).toBe(codes.objectMissing);
    const grant = await grantFor(server, account);
    await postObject(server, grant, bytes);
    expect((await register(grant, { file_size: 5 })).code).toBe(codes.objectDiffers);
    expect((await register(grant, { sha256: 'a'.repeat(64) })).code).toBe(codes.objectDiffers);
    expect((await register(grant, { url: 'https://elsewhere.example/x.ogg' })).code).toBe(
      codes.keyNotIssued,
    );
    expect((await register(grant, { client_flag: '' })).code).toBe(codes.badRequest);
    expect((await register(grant, { file_size: '5' })).code).toBe(codes.objectDiffers);
    expect((await register(grant, { file_size: '5 kB' })).code).toBe(codes.badRequest);
    expect((await register(grant)).code).toBe(codes.ok);
    // An object can't be registered as a second recording.
    expect((await register(grant)).code).toBe(codes.keyNotIssued);
  });

  it("returns the same response for another account's object as for an unknown key", async () => {
    const theirGrant = await grantFor(server, otherUser);
    await postObject(server, theirGrant, bytes);
    const theirKey = await register(theirGrant);
    const unknownKey = await register({
      ...theirGrant,
      url: theirGrant.url.replace(/[^/]+\.ogg$/, 'x.ogg'),
    });
    expect(theirKey).toMatchObject({ code: codes.keyNotIssued, data: null });
    expect(theirKey).toEqual(unknownKey);
  });

  it.each(['oss/config', 'upload/ossFile', 'upload/checkOssFile'] as const)(
    'requires a token for %s',
    async (name) => {
      const valid = { type: 'voice_file', ext: 'ogg', url: 'x', file_size: 1, client_flag: 'x' };
      expect((await server.call(name, valid)).code).toBe(codes.tokenInvalid);
    },
  );
});

describe('reading objects', () => {
  const wave = toneWave(2.2);
  let address: URL;
  beforeAll(async () => {
    const { url } = await uploadRecording(server, account, wave, { ext: 'wav' });
    address = new URL(url ?? '');
  });
  const get = (
    headers: Record<string, string> = {},
    url = address,
    method: 'GET' | 'HEAD' = 'GET',
  ) => server.app.inject({ method, url: url.pathname + url.search, headers });

  it('returns the entire object for its signed URL', async () => {
    const response = await get();
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'audio/wav',
      'accept-ranges': 'bytes',
      'content-length': String(wave.length),
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(response.rawPayload.equals(wave)).toBe(true);
  });

  it.each([
    ['bytes=0-3', 206, 0, 4],
    ['bytes=100-', 206, 100, wave.length],
    ['bytes=-5', 206, wave.length - 5, wave.length],
    [`bytes=0-${wave.length + 10}`, 206, 0, wave.length],
    ['bytes=5-2', 200, 0, wave.length],
    ['bytes=0-1,4-5', 200, 0, wave.length],
    ['items=0-1', 200, 0, wave.length],
  ])('responds to the range %s with %i', async (range, status, start, end) => {
    const response = await get({ range });
    expect(response.statusCode).toBe(status);
    expect(response.rawPayload.equals(wave.subarray(start, end))).toBe(true);
    expect(response.headers['content-length']).toBe(String(end - start));
    if (status === 206) {
      expect(response.headers['content-range']).toBe(`bytes ${start}-${end - 1}/${wave.length}`);
    }
  });

  it('returns 416 for a range beyond the end, and 304 for a matching ETag', async () => {
    const outOfRangeResponse = await get({ range: `bytes=${wave.length}-` });
    expect(outOfRangeResponse.statusCode).toBe(416);
    expect(outOfRangeResponse.headers['content-range']).toBe(`bytes */${wave.length}`);
    const { etag = '' } = (await get()).headers;
    expect((await get({ 'if-none-match': String(etag) })).statusCode).toBe(304);
    const staleResponse = await get({ range: 'bytes=0-3', 'if-range': '"other"' });
    expect(staleResponse.statusCode).toBe(200);
  });

  it('returns no body for HEAD', async () => {
    const response = await get({}, address, 'HEAD');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-length']).toBe(String(wave.length));
    expect(response.rawPayload).toHaveLength(0);
  });

  it('returns 403 for a missing, foreign or expired signature', async () => {
    const change = (edit: (url: URL) => void) => {
      const url = new URL(address);
      edit(url);
      return url;
    };
    const bad = [
      change((url) => url.searchParams.delete('s')),
      change((url) => url.searchParams.set('e', '99999999999')),
      change((url) => {
        url.pathname = url.pathname.replace(/.\.wav$/, '0.wav');
      }),
      change((url) => url.searchParams.append('s', 'twice')),
    ];
    for (const url of bad) {
      const response = await get({}, url);
      if (url.href !== address.href) expect(response.statusCode).toBe(403);
    }
    server.advanceClock(8 * 3600);
    expect((await get()).statusCode).toBe(403);
    server.advanceClock(-8 * 3600);
  });
});

describe('Range', () => {
  it.each([
    [undefined, 10, null],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=-20', 10, { start: 0, end: 9 }],
    ['bytes=-', 10, null],
    ['bytes=0-0', 0, 'unsatisfiable'],
    ['bytes=-5', 0, 'unsatisfiable'],
    ['bytes=9-9', 10, { start: 9, end: 9 }],
  ])('parses %s for %i bytes', (header, size, expected) => {
    expect(parseRange(header, size)).toEqual(expected);
  });
});
