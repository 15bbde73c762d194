import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { UploadGrant } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Queue } from '../../src/jobs/queue.ts';
import { sweepUploads } from '../../src/modules/upload/sweep.ts';
import { discarded, startDeleting } from '../jobs.ts';
import { uploadOverUnreliableConnection } from '../resumable.ts';
import type { Account, TestServer } from '../server.ts';
import { startTestServer } from '../server.ts';
import { grantFor, toneWave } from '../uploads.ts';
import { makeBucket } from './bucket.ts';

let server: TestServer;
let worker: Queue;
let account: Account;
let otherAccount: Account;
let endpoint: string;
let bucket: string;
beforeAll(async () => {
  const where = await makeBucket();
  ({ bucket } = where);
  endpoint = where.endpoint ?? '';
  server = await startTestServer({
    STORAGE: 's3',
    S3_ENDPOINT: endpoint,
    S3_REGION: where.region,
    S3_BUCKET: where.bucket,
    S3_ACCESS_KEY_ID: where.accessKeyId,
    S3_SECRET_ACCESS_KEY: where.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  });
  worker = await startDeleting(server);
  account = await server.register();
  otherAccount = await server.register();
});
afterAll(async () => {
  await worker.stop();
  await server.close();
});

const token = () => ({ token: account.access });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const wave = toneWave(3);

/** Posts a file with a grant's form, as the app does. */
async function post(grant: UploadGrant, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const form = new FormData();
  for (const [name, value] of Object.entries(grant.form?.fields ?? {})) form.append(name, value);
  form.append('file', new Blob([bytes]), 'file');
  return (await fetch(grant.form?.url ?? '', { method: 'POST', body: form })).status;
}
const register = (grant: UploadGrant, bytes: Uint8Array, change: object = {}) =>
  server.call(
    'upload/ossFile',
    {
      url: grant.url,
      file_size: bytes.length,
      sha256: sha256(bytes),
      client_flag: crypto.randomUUID(),
      ...change,
    },
    token(),
  );

describe('a recording in a bucket', () => {
  it('is uploaded with a form, read with ranges, and deleted', async () => {
    const grant = await grantFor(server, account, 'wav');
    expect(grant).toMatchObject({ provider: 's3', bucket, uploadUrl: `${endpoint}/${bucket}` });
    expect(grant.credentials).toBeUndefined();
    expect(grant.url).toBe(`${grant.uploadUrl}/${grant.key}`);
    expect(await post(grant, wave)).toBe(204);

    const { code, data } = await register(grant, wave, { name: 'Lunch' });
    expect(code).toBe(codes.ok);
    expect(data).toMatchObject({ total_time: 3, file_size: wave.length, sha256: sha256(wave) });

    const url = data.url ?? '';
    const fullResponse = await fetch(url);
    expect(fullResponse.status).toBe(200);
    expect(fullResponse.headers.get('content-type')).toBe('audio/wav');
    expect(sha256(new Uint8Array(await fullResponse.arrayBuffer()))).toBe(sha256(wave));
    const part = await fetch(url, { headers: { range: 'bytes=40-49' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 40-49/${wave.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(wave.subarray(40, 50))).toBe(true);
    const forged = url.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const bad of [url.split('?')[0] ?? '', forged]) {
      expect((await fetch(bad)).status).toBe(403);
    }

    const { data: deletedRecording } = await server.call(
      'radio/batchDelete',
      { ids: [data.id] },
      token(),
    );
    expect(deletedRecording.ids).toEqual([data.id]);
    await vi.waitUntil(async () => (await fetch(url)).status === 404, { timeout: 60_000 });
  });

  it('is rejected if its size, hash or owner differs', async () => {
    const grant = await grantFor(server, account, 'wav');
    expect((await register(grant, wave)).code).toBe(codes.objectMissing);
    expect(await post(grant, wave)).toBe(204);
    expect((await register(grant, wave, { sha256: 'a'.repeat(64) })).code).toBe(
      codes.objectDiffers,
    );
    expect((await register(grant, wave, { file_size: 1 })).code).toBe(codes.objectDiffers);
    const otherCall = await server.call(
      'upload/ossFile',
      { url: grant.url, file_size: wave.length, client_flag: 'x' },
      { token: otherAccount.access },
    );
    expect(otherCall.code).toBe(codes.keyNotIssued);
    const flag = { client_flag: crypto.randomUUID() };
    const first = await register(grant, wave, flag);
    const secondGrant = await grantFor(server, account, 'wav');
    await post(secondGrant, wave);
    expect((await register(secondGrant, wave, flag)).data.id).toBe(first.data.id);
    expect(await discarded(server)).toContain(secondGrant.key);
  });

  it('can be uploaded as a form through the API', async () => {
    const form = new FormData();
    form.append('radio', new File([wave], 'Lunch.wav', { type: 'audio/wav' }));
    form.append('source', '1');
    const encoded = new Response(form);
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/upload/radioFile',
      headers: {
        authorization: `Bearer ${account.access}`,
        'content-type': encoded.headers.get('content-type') ?? '',
      },
      payload: Buffer.from(await encoded.arrayBuffer()),
    });
    const { data } = response.json();
    expect(data).toMatchObject({ name: 'Lunch', file_size: wave.length, sha256: null });
    expect((await fetch(data.url)).headers.get('content-length')).toBe(String(wave.length));
  });

  it('resumes its upload over an unreliable connection', async () => {
    const address = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }));
    const bytes = randomBytes(14_000_000);
    const grant = await grantFor(server, account);
    const cuts = await uploadOverUnreliableConnection(
      address,
      account,
      grant,
      bytes,
      [0.1, 0.4, 0.2],
    );
    expect(cuts).toBe(3);
    const { code, data } = await register(grant, bytes);
    expect(code).toBe(codes.ok);
    const read = new Uint8Array(await (await fetch(data.url ?? '')).arrayBuffer());
    expect(sha256(read)).toBe(sha256(bytes));
  });

  it('is converted within the bucket after an upload with a form', async () => {
    const scene = '../../../virtual-recorder/scenes/microphone.ogg';
    const ogg = new Uint8Array(await readFile(new URL(scene, import.meta.url)));
    const grant = await grantFor(server, account);
    await post(grant, ogg);
    const { data: recording } = await register(grant, ogg);
    const target = await grantFor(server, account, 'mp3');
    const body = {
      fileUrl: recording.url ?? '',
      postUrl: target.uploadUrl,
      iurl: target.url,
      uploadObj: { ...target.form?.fields },
    };
    const { code, data } = await server.call('convert', body, token());
    expect(code).toBe(codes.ok);
    const mp3 = await fetch(data.iurl);
    expect(mp3.headers.get('content-type')).toBe('audio/mpeg');
    expect((await mp3.arrayBuffer()).byteLength).toBe(data.file_size);

    const forged = { ...body, uploadObj: { ...body.uploadObj, 'X-Amz-Signature': 'ab' } };
    const otherUrl = body.fileUrl.replace(endpoint, 'http://127.0.0.1:1');
    const unsigned = body.fileUrl.split('?')[0] ?? '';
    for (const bad of [
      forged,
      { ...body, fileUrl: otherUrl },
      { ...body, fileUrl: unsigned },
      { ...body, postUrl: 'http://127.0.0.1:1/x' },
    ]) {
      expect(await server.call('convert', bad, token())).toMatchObject({
        code: codes.addressNotOurs,
        data: null,
      });
    }
  });

  it('is swept if it is never registered', async () => {
    const grant = await grantFor(server, account, 'wav');
    await post(grant, wave);
    const longAgo = new Date(Date.now() - 50 * 3_600_000);
    await server.db
      .updateTable('upload_leaves')
      .set({ created_at: longAgo, expires_at: longAgo })
      .where('key', '=', grant.key)
      .execute();
    const { objects } = await sweepUploads({ ...server, now: () => new Date() });
    expect(objects).toBe(1);
    await vi.waitUntil(async () => (await server.store.stat(grant.key)) === null, {
      timeout: 60_000,
    });
  });
});

it('the server serves no local store', async () => {
  expect((await server.app.inject('/store/linnet/x.ogg')).statusCode).toBe(404);
});
