import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it } from 'vitest';
import type { S3Bucket } from './address.ts';
import { bucketAddress, signedAddress, verifiedKey } from './address.ts';

const keys = { accessKeyId: 'AK/ID', secretAccessKey: 'secret' };
const createBucket = (endpoint: string | null, forcePathStyle: boolean): S3Bucket => ({
  bucket: 'linnet-1',
  region: 'eu-west-1',
  endpoint,
  forcePathStyle,
  ...keys,
});
const places: [string, S3Bucket][] = [
  ["Amazon's", createBucket(null, false)],
  ["Amazon's, by path", createBucket(null, true)],
  ['one of our own', createBucket('https://files.example', false)],
  ['one of our own, by path', createBucket('http://127.0.0.1:9000', true)],
  ['a number instead of a name', createBucket('http://127.0.0.1:9000', false)],
  ['one below a path', createBucket('https://files.example/s3', true)],
];
const createClient = ({ endpoint, region, forcePathStyle }: S3Bucket) =>
  new S3Client({
    region,
    forcePathStyle,
    credentials: keys,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint && { endpoint }),
  });

const key = 'voice/a/b.ogg';
const hour = new Date('2026-11-21T16:00:00Z');
const timeAfter = (seconds: number) => new Date(hour.getTime() + seconds * 1000);

describe.each(places)('URLs of a bucket at %s', (_name, where) => {
  it('are identical to the SDK’s URLs', async () => {
    const command = new GetObjectCommand({
      Bucket: where.bucket,
      Key: key,
      ResponseContentType: 'audio/ogg',
    });
    const options = { expiresIn: 15 * 60, signingDate: hour };
    const expected = new URL(await getSignedUrl(createClient(where), command, options));
    const ourAddress = new URL(signedAddress(where, key, 'audio/ogg', timeAfter(299)));
    for (const { searchParams } of [expected, ourAddress]) searchParams.sort();
    expect(ourAddress.href).toBe(expected.href);
  });

  it('have the same form target as the SDK’s URLs', async () => {
    const { url } = await createPresignedPost(createClient(where), {
      Bucket: where.bucket,
      Key: key,
    });
    expect(bucketAddress(where)).toBe(url.replace(/\/$/, ''));
  });

  it('are verified until they expire', () => {
    const address = signedAddress(where, key, 'audio/ogg', timeAfter(299));
    expect(signedAddress(where, key, 'audio/ogg', timeAfter(300))).not.toBe(address);
    expect(verifiedKey(where, address, timeAfter(299))).toBe(key);
    expect(verifiedKey(where, address, timeAfter(15 * 60))).toBe(key);
    expect(verifiedKey(where, address, timeAfter(15 * 60 + 1))).toBeNull();
    expect(verifiedKey(where, address, timeAfter(-1))).toBeNull();
  });

  it('are rejected if modified', () => {
    const address = signedAddress(where, key, 'audio/ogg', hour);
    for (let n = 0; n < address.length; n += 1) {
      const other = address[n] === 'x' ? 'y' : 'x';
      const changed = address.slice(0, n) + other + address.slice(n + 1);
      expect(verifiedKey(where, changed, hour), changed).toBeNull();
    }
    for (const oddAddress of [
      `${address}&x=1`,
      `${address}#x`,
      key,
      '',
      'https://',
      `${address}\n`,
    ]) {
      expect(verifiedKey(where, oddAddress, hour), oddAddress).toBeNull();
    }
  });
});
