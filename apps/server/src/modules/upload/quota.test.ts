import { statfs } from 'node:fs/promises';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { grantFor, postObject, toneWave, uploadRecording } from '../../../test/uploads.ts';

/** A WAV file of 1.28 MB. */
const wave = toneWave(40);
let server: TestServer;
let account: Account;
beforeAll(async () => {
  server = await startTestServer({ ACCOUNT_BYTES: '2000000' });
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await server.register();
});

const token = () => ({ token: account.access });
const grant = () => server.call('oss/config', { type: 'voice_file', ext: 'wav' }, token());
const register = (url: string) => {
  const body = { url, file_size: wave.length, client_flag: crypto.randomUUID() };
  return server.call('upload/ossFile', body, token());
};

describe('an account’s storage quota', () => {
  it('is reported and limits the next upload', async () => {
    await uploadRecording(server, account, wave, { ext: 'wav' });
    const { data } = await server.call('user/storage', {}, token());
    expect(data).toEqual({ used_bytes: wave.length, quota_bytes: 2_000_000 });
    const { data: next } = await grant();
    expect(next.maxSize).toBe(2_000_000 - wave.length);
    expect((await postObject(server, next, wave)).statusCode).toBe(400);
  });

  it('has space for audio that replaces lost audio', async () => {
    await uploadRecording(server, account, wave, { ext: 'wav' });
    await server.db
      .updateTable('recordings')
      .set({ lost_at: new Date() })
      .where('account_id', '=', account.id)
      .execute();
    const { data: next } = await grant();
    expect(next.maxSize).toBe(2_000_000);
    expect((await postObject(server, next, wave)).statusCode).toBe(204);
  });

  it('is not exceeded by several open grants', async () => {
    const grants = [await grantFor(server, account, 'wav'), await grantFor(server, account, 'wav')];
    for (const grant of grants) {
      expect((await postObject(server, grant, wave)).statusCode).toBe(204);
    }
    const [first, second] = grants.map(({ url }) => url);
    expect((await register(first ?? '')).code).toBe(codes.ok);
    expect(await register(second ?? '')).toMatchObject({ code: codes.quotaExceeded, data: null });
    // If the quota is used up, no grant is issued.
    await server.db
      .updateTable('recordings')
      .set({ file_size: 2_000_000 })
      .where('account_id', '=', account.id)
      .execute();
    expect((await grant()).code).toBe(codes.quotaExceeded);
  });

  it('limits the number of open grants until they expire', async () => {
    for (let n = 0; n < limits.upload.openGrants; n += 1) {
      expect((await grant()).code).toBe(codes.ok);
    }
    expect((await grant()).code).toBe(codes.tooManyRequests);
    server.advanceClock(3700);
    const { data } = await server.call('user/refreshToken', {}, { token: account.refresh });
    const afterExpiry = await server.call(
      'oss/config',
      { type: 'voice_file', ext: 'wav' },
      { token: data.access_token },
    );
    expect(afterExpiry.code).toBe(codes.ok);
  });
});

it('reports a full server when the disk space is below the reserve', async () => {
  const { bavail, bsize } = await statfs(server.config.DATA_DIR);
  const reserve = Math.min(999_999_999_999, bavail * bsize * 2);
  const fullServer = await startTestServer({ DISK_RESERVE: String(Math.floor(reserve)) });
  try {
    const owner = await fullServer.register();
    const form = new FormData();
    form.append('radio', new Blob([wave]), 'sound.wav');
    const encoded = new Request('http://localhost/', { method: 'POST', body: form });
    const response = await fullServer.app.inject({
      method: 'POST',
      url: '/api/upload/radioFile',
      headers: {
        host: 'localhost:8080',
        authorization: `Bearer ${owner.access}`,
        'content-type': encoded.headers.get('content-type') ?? '',
      },
      payload: Buffer.from(await encoded.arrayBuffer()),
    });
    expect(response.json()).toMatchObject({ code: codes.serverFull, data: null });
  } finally {
    await fullServer.close();
  }
});

it('limits expensive calls per account and hour', async () => {
  const expensiveCalls = [
    ['device/binding', { sn: 'SN-unknown' }, codes.deviceNotRegistered],
    ['task/summarize', { id: crypto.randomUUID(), structure: 'general' }, codes.notFound],
  ] as const;
  for (const [name, body, code] of expensiveCalls) {
    const request = () => server.call(name, body, token());
    for (let n = 0; n < 60; n += 1) expect((await request()).code).toBe(code);
    expect((await request()).code).toBe(codes.tooManyRequests);
  }
});
