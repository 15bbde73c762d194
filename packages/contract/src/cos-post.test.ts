import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { UploadGrant } from './calls.ts';
import { signCosPost } from './cos-post.ts';

const grant: UploadGrant = {
  provider: 'local',
  bucket: 'linnet',
  cosRegion: 'local',
  startTime: 1_700_000_000,
  expiredTime: 1_700_001_800,
  expiration: '2023-11-14T22:43:20.000Z',
  credentials: { tmpSecretId: 'id', tmpSecretKey: 'secret', sessionToken: 'session' },
  key: 'voice/é.ogg',
  uploadUrl: 'http://localhost/store/linnet',
  url: 'http://localhost/store/linnet/voice/x.ogg',
  maxSize: 1000,
};
const hmac = (key: string, text: string) => createHmac('sha1', key).update(text).digest('hex');

describe('signCosPost', () => {
  it('signs the policy so that COS accepts it', async () => {
    const fields = await signCosPost(grant, { contentType: 'audio/ogg', size: 5000 });
    const policy = Buffer.from(fields.policy ?? '', 'base64').toString();
    const digest = createHash('sha1').update(policy).digest('hex');
    expect(fields['q-key-time']).toBe('1700000000;1700001800');
    expect(fields['q-signature']).toBe(hmac(hmac('secret', '1700000000;1700001800'), digest));
    expect(JSON.parse(policy).conditions).toContainEqual({ key: 'voice/é.ogg' });
    expect(JSON.parse(policy).conditions).toContainEqual(['content-length-range', 0, 1000]);
  });

  it('rejects a grant that contains a signed form', async () => {
    const { credentials: _, ...signed } = grant;
    await expect(signCosPost(signed, { contentType: 'a/b', size: 1 })).rejects.toThrow(TypeError);
  });
});
