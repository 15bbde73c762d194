import { codes } from '@linnet/contract/codes';
import { signCosPost } from '@linnet/contract/cos-post';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { TokenService } from '../../../test/token-service.ts';
import { startTokenService, tencentKeys } from '../../../test/token-service.ts';
import { grantFor } from '../../../test/uploads.ts';

/** These tests need no storage service. `npm run test:s3` runs tests against real services. */
let server: TestServer;
let account: Account;

describe('the server with COS', () => {
  let tokens: TokenService;
  beforeAll(async () => {
    tokens = await startTokenService();
    server = await startTestServer({
      STORAGE: 'cos',
      COS_BUCKET: 'linnet-1250000000',
      COS_REGION: 'ap-guangzhou',
      COS_SECRET_ID: tencentKeys.secretId,
      COS_SECRET_KEY: tencentKeys.secretKey,
      COS_STS_ENDPOINT: tokens.url,
    });
    account = await server.register();
  });
  afterAll(async () => {
    await server.close();
    await tokens.close();
  });
  const bucket = 'https://linnet-1250000000.cos.ap-guangzhou.myqcloud.com';

  it('issues credentials that are limited to the object of the grant', async () => {
    const grant = await grantFor(server, account);
    expect(grant).toMatchObject({
      provider: 'cos',
      bucket: 'linnet-1250000000',
      cosRegion: 'ap-guangzhou',
      credentials: { tmpSecretId: 'tmp-id', tmpSecretKey: 'tmp-key', sessionToken: 'tmp-token' },
      uploadUrl: bucket,
      url: `${bucket}/${grant.key}`,
      resumable: { url: 'http://localhost:8080/upload/resumable' },
    });
    expect(grant.form).toBeUndefined();
    const [resource] = tokens.requests.at(-1)?.policy.statement[0]?.resource ?? [];
    expect(resource).toMatch(new RegExp(`/${grant.key}$`));
    const fields = await signCosPost(grant, { contentType: 'audio/ogg', size: 5 });
    expect(fields).toMatchObject({ key: grant.key, 'x-cos-security-token': 'tmp-token' });
  });

  it('reports that it is unavailable if the token service issues no credentials', async () => {
    await tokens.close();
    const body = { type: 'voice_file', ext: 'ogg' };
    const response = await server.call('oss/config', body, { token: account.access });
    expect(response).toMatchObject({ code: codes.unavailable, data: null });
    expect(server.logged.join('')).not.toContain(tencentKeys.secretKey);
    tokens = await startTokenService();
  });
});

describe('the server with S3', () => {
  beforeAll(async () => {
    // The endpoint is unreachable, but grants and URLs don't require a request.
    server = await startTestServer({
      STORAGE: 's3',
      S3_BUCKET: 'linnet',
      S3_ENDPOINT: 'http://127.0.0.1:1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'a secret nobody sees',
      S3_FORCE_PATH_STYLE: 'true',
    });
    account = await server.register();
  });
  afterAll(() => server.close());
  const address = 'http://127.0.0.1:1/linnet';

  it('issues grants with a signed form and without secrets', async () => {
    const grant = await grantFor(server, account, 'wav');
    expect(grant).toMatchObject({ provider: 's3', bucket: 'linnet', uploadUrl: address });
    expect(grant.credentials).toBeUndefined();
    expect(grant.form?.url).toBe(address);
    expect(grant.form?.fields).toMatchObject({
      key: grant.key,
      'Content-Type': 'audio/wav',
      success_action_status: '204',
    });
    const policy = JSON.parse(Buffer.from(grant.form?.fields.Policy ?? '', 'base64').toString());
    expect(policy.conditions).toContainEqual(['content-length-range', 0, grant.maxSize]);
    expect(Math.abs(Date.parse(policy.expiration) - grant.expiredTime * 1000)).toBeLessThan(5000);
    expect(JSON.stringify(grant)).not.toContain('nobody sees');
  });

  it('issues grants for logs and mp3 files', async () => {
    const token = { token: account.access };
    const { data: log } = await server.call('upload/ossConfig', {}, token);
    expect(log.key).toMatch(new RegExp(`^log/${account.id}/[0-9a-f-]{36}\\.log$`));
    expect(log.form?.fields['Content-Type']).toBe('text/plain');
    const mp3 = await grantFor(server, account, '.MP3');
    expect(mp3.key).toMatch(/^converted\/.*\.mp3$/);
    const avatar = { type: 'avatar', ext: 'mp3' };
    expect((await server.call('oss/config', avatar, token)).code).toBe(codes.typeNotAccepted);
  });

  it('reports an unreachable bucket as unavailable', async () => {
    const grant = await grantFor(server, account);
    const metadata = { url: grant.url, file_size: 1, client_flag: crypto.randomUUID() };
    const response = await server.call('upload/ossFile', metadata, { token: account.access });
    expect(response).toMatchObject({ code: codes.unavailable, data: null });
    expect(server.logged.join('')).not.toContain('nobody sees');
  });

  it('does not serve the embedded store', async () => {
    expect((await server.app.inject('/store/linnet/x.ogg')).statusCode).toBe(404);
  });
});
