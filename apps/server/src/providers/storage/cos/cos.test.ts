import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenService } from '../../../../test/token-service.ts';
import { startTokenService, tencentKeys } from '../../../../test/token-service.ts';
import { createAuthorizationHeader, requestFederationToken } from './federation.ts';
import { openCosStore } from './index.ts';

let service: TokenService;
beforeAll(async () => {
  service = await startTokenService();
});
afterAll(() => service.close());

const bucket = {
  bucket: 'linnet-1250000000',
  region: 'ap-guangzhou',
  endpoint: null,
  ...tencentKeys,
};
const terms = (end: number) => ({
  key: 'voice/a/b.ogg',
  maxSize: 10,
  types: ['audio/ogg'] as const,
  start: end - 100,
  end,
});
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

describe('temporary keys for an upload to COS', () => {
  it('are requested with the same signature that the Tencent SDK creates', () => {
    // Generated with tencentcloud-sdk-nodejs-common 4.1.220.
    expect(
      createAuthorizationHeader(
        { endpoint: 'https://sts.tencentcloudapi.com', ...tencentKeys },
        '{"Name":"linnet","Policy":"%7B%7D","DurationSeconds":3600}',
        1551113065,
      ),
    ).toBe(
      'TC3-HMAC-SHA256 Credential=AKIDEXAMPLE/2019-02-25/sts/tc3_request, SignedHeaders=content-type;host, Signature=09ffd3c2a04643ba9b29efae9e8d696f8bc7c3e0bf1303268c341af1f684c39b',
    );
  });

  it('allow posting only the given object, until the grant expires', async () => {
    const { gateway } = openCosStore({ ...bucket, stsEndpoint: service.url });
    const end = inAnHour();
    expect(await gateway?.permitUpload(terms(end))).toEqual({
      credentials: { tmpSecretId: 'tmp-id', tmpSecretKey: 'tmp-key', sessionToken: 'tmp-token' },
    });
    const request = service.requests.at(-1);
    expect(request?.headers['x-tc-region']).toBe('ap-guangzhou');
    expect(Math.abs((request?.seconds ?? 0) - 3600)).toBeLessThan(5);
    expect(request?.policy.statement).toEqual([
      {
        effect: 'allow',
        action: ['name/cos:PostObject'],
        resource: ['qcs::cos:ap-guangzhou:uid/1250000000:linnet-1250000000/voice/a/b.ogg'],
      },
    ]);
  });

  it('are refused if the request was signed with a different secret', async () => {
    const bucketWithWrongKey = { ...bucket, secretKey: 'another', stsEndpoint: service.url };
    await expect(
      openCosStore(bucketWithWrongKey).gateway?.permitUpload(terms(inAnHour())),
    ).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('AuthFailure.SignatureFailure'),
    });
  });

  it('are unavailable if the service does not respond', async () => {
    const closedService = await startTokenService();
    await closedService.close();
    const account = { endpoint: closedService.url, region: 'ap-guangzhou', ...tencentKeys };
    await expect(requestFederationToken(account, {}, 60)).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

it('a COS bucket uses the Tencent endpoint and reports the id cos', () => {
  const { id, gateway } = openCosStore({ ...bucket, stsEndpoint: service.url });
  expect(id).toBe('cos');
  expect(gateway).toMatchObject({ bucket: 'linnet-1250000000', region: 'ap-guangzhou' });
  expect(gateway?.address('http://localhost:8080')).toBe(
    'https://linnet-1250000000.cos.ap-guangzhou.myqcloud.com',
  );
});
