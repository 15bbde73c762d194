import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@tus/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { objectStoreContract } from '../../src/providers/storage/contract-suite.ts';
import { openCosStore } from '../../src/providers/storage/cos/index.ts';
import { uploadPolicyContract } from '../../src/providers/storage/policy-suite.ts';
import type { S3Bucket } from '../../src/providers/storage/s3/address.ts';
import { clientConfig } from '../../src/providers/storage/s3/client-config.ts';
import { openS3Store } from '../../src/providers/storage/s3/index.ts';
import { createS3Uploads } from '../../src/providers/storage/s3/uploads.ts';
import { makeBucket } from './bucket.ts';

let where: S3Bucket;
beforeAll(async () => {
  where = await makeBucket();
});

objectStoreContract('S3', async () => openS3Store(where));

// Tencent's service has the same API, except for how it enforces form conditions.
objectStoreContract('COS', async () =>
  openCosStore({
    bucket: where.bucket,
    region: where.region,
    endpoint: where.endpoint,
    secretId: where.accessKeyId,
    secretKey: where.secretAccessKey,
    stsEndpoint: 'http://127.0.0.1:1',
  }),
);

uploadPolicyContract('S3', async () => {
  const { gateway, stat } = openS3Store(where);
  return {
    signature: 'X-Amz-Signature',
    stat,
    async sign(terms) {
      const permission = await gateway.permitUpload(terms);
      if (!('form' in permission)) throw new Error('S3 must return a form');
      return { ...permission.form.fields };
    },
    async post(fields, file) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', file);
      return (await fetch(gateway.address(''), { method: 'POST', body: form })).status;
    },
  };
});

describe('multipart objects', () => {
  const megabyte = 1024 ** 2;
  const newKey = () => `voice/${crypto.randomUUID()}.ogg`;
  async function* pieces(bytes: Uint8Array, size: number, failAt = Number.POSITIVE_INFINITY) {
    for (let offset = 0; offset < bytes.length; offset += size) {
      if (offset >= failAt) throw new Error('the line dropped');
      yield bytes.subarray(offset, offset + size);
    }
  }
  async function countUnfinished(): Promise<number> {
    const Bucket = where.bucket;
    const client = new S3Client(clientConfig(where));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    return Uploads.length;
  }
  const bytes = randomBytes(20 * megabyte + 1);

  it('are stored completely or not at all, without leftover parts', async () => {
    const countBefore = await countUnfinished();
    const store = openS3Store(where);
    const [entireKey, large, brokenKey] = [newKey(), newKey(), newKey()];
    await store.put(entireKey, pieces(bytes, 300_000), { maxBytes: bytes.length });
    const read = Buffer.concat(await (await store.read(entireKey)).toArray());
    expect(read.equals(bytes)).toBe(true);
    const tooLarge = store.put(large, pieces(bytes, 300_000), { maxBytes: bytes.length - 1 });
    await expect(tooLarge).rejects.toMatchObject({ code: 'too-large' });
    const dropped = store.put(brokenKey, pieces(bytes, 300_000, 18 * megabyte), { maxBytes: 1e9 });
    await expect(dropped).rejects.toThrow('the line dropped');
    expect([await store.stat(large), await store.stat(brokenKey)]).toEqual([null, null]);
    expect(await countUnfinished()).toBe(countBefore);
  });

  it('accept parts of any size and resume after an interruption', async () => {
    const store = openS3Store(where);
    const { id } = await store.uploads.create(
      new Upload({ id: newKey(), size: bytes.length, offset: 0 }),
    );
    for (const to of [1, 7.5 * megabyte, 7.5 * megabyte + 10, 16 * megabyte, bytes.length]) {
      const { offset } = await store.uploads.getUpload(id);
      const part = Readable.from(pieces(bytes.subarray(offset, to), 100_000));
      expect(await store.uploads.write(part, id, offset)).toBe(to);
    }
    const read = Buffer.concat(await (await store.read(id)).toArray());
    expect(read.equals(bytes)).toBe(true);
  });

  it('are aborted when they expire', async () => {
    const { stat } = openS3Store(where);
    const config = clientConfig(where);
    const { bucket } = where;
    const uploadsStore = createS3Uploads({ config, bucket, stat });
    const expiringStore = createS3Uploads({ config, bucket, stat, hours: 0 });
    const { id } = await uploadsStore.create(new Upload({ id: newKey(), size: 9, offset: 0 }));
    await uploadsStore.write(Readable.from([Buffer.from('1234')]), id, 0);
    // The bucket may contain other applications' objects.
    const client = new S3Client(config);
    const others = { Bucket: bucket, Key: 'voice-of-others/film.mkv' };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(others));
    expect(await uploadsStore.deleteExpired()).toBe(0);
    expect((await uploadsStore.getUpload(id)).offset).toBe(4);
    expect(await expiringStore.deleteExpired()).toBeGreaterThan(0);
    await expect(uploadsStore.getUpload(id)).rejects.toMatchObject({ status_code: 404 });
    expect(await countUnfinished()).toBe(1);
    await client.send(new AbortMultipartUploadCommand({ ...others, UploadId }));
    expect(await countUnfinished()).toBe(0);
  });
});
