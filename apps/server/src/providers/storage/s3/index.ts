import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { ObjectStore, StorageGateway, StoredObject } from '../port.ts';
import { checkKey, checkPrefix, StorageFailure } from '../port.ts';
import type { S3Bucket } from './address.ts';
import { clientConfig } from './client-config.ts';
import { createS3Gateway } from './gateway.ts';
import { createS3Uploads, resumableFolder } from './uploads.ts';

/** Size of a part in bytes. Two parts are in memory: one is being sent while the next is filled. */
const partBytes = 8 * 1024 ** 2;

/**
 * Stores objects in a bucket of an S3-compatible service.
 * @param id `cos` for Tencent's service, which also supports this protocol
 */
export function openS3Store(
  s3Bucket: S3Bucket,
  id: 's3' | 'cos' = 's3',
): ObjectStore & { readonly gateway: StorageGateway } {
  const config = clientConfig(s3Bucket);
  const client = new S3Client(config);
  const Bucket = s3Bucket.bucket;

  async function stat(key: string): Promise<StoredObject | null> {
    checkKey(key);
    try {
      const head = await client.send(new HeadObjectCommand({ Bucket, Key: key }));
      return { size: head.ContentLength ?? 0, storedAt: head.LastModified ?? new Date(0) };
    } catch (error) {
      if (isMissing(error)) return null;
      throw toStorageFailure(error);
    }
  }

  return {
    id,
    gateway: createS3Gateway(client, s3Bucket),
    uploads: createS3Uploads({ config, bucket: Bucket, stat }),
    stat,

    async put(key, body, { maxBytes }) {
      checkKey(key);
      const hash = createHash('sha256');
      let size = 0;
      let bodyError: { error: unknown } | undefined;
      async function* countedChunks() {
        try {
          for await (const chunk of body) {
            size += chunk.length;
            if (size > maxBytes)
              throw new StorageFailure('too-large', `larger than ${maxBytes} bytes`);
            hash.update(chunk);
            yield chunk;
          }
        } catch (error) {
          bodyError = { error };
          throw error;
        }
      }
      // An object that fits into one part takes a single request. A larger object becomes a multipart upload.
      const upload = new Upload({
        client,
        params: { Bucket, Key: key, Body: Readable.from(countedChunks(), { objectMode: false }) },
        partSize: partBytes,
        queueSize: 1,
      });
      try {
        await upload.done();
      } catch (error) {
        throw bodyError ? bodyError.error : toStorageFailure(error);
      }
      return { size, sha256: hash.digest('hex'), storedAt: new Date() };
    },

    async read(key, range) {
      checkKey(key);
      const Range = range && `bytes=${range.start}-${range.end}`;
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key, Range }));
        return Body as Readable;
      } catch (error) {
        if (isMissing(error)) throw new StorageFailure('not-found', 'no such object', error);
        throw toStorageFailure(error);
      }
    },

    async delete(key) {
      checkKey(key);
      try {
        await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
      } catch (error) {
        throw toStorageFailure(error);
      }
    },

    async *list(prefix) {
      checkPrefix(prefix);
      // Use version 1 of this operation, which all services support.
      for (let marker: string | undefined; ; ) {
        const page = await client
          .send(new ListObjectsCommand({ Bucket, Prefix: prefix, Marker: marker }))
          .catch((error) => Promise.reject(toStorageFailure(error)));
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
          if (!Key.startsWith(resumableFolder))
            yield { key: Key, size: Size, storedAt: LastModified };
          marker = Key;
        }
        if (!page.IsTruncated) return;
      }
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && ['NotFound', 'NoSuchKey'].includes(error.name);
}

function toStorageFailure(error: unknown): unknown {
  const { name, code, $metadata } = error as S3ServiceException & { code?: string };
  const status = $metadata?.httpStatusCode ?? 0;
  if (status === 507 || name === 'QuotaExceeded') {
    return new StorageFailure('full', 'the bucket is full', error);
  }
  const isUnavailable = status >= 500 || name === 'TimeoutError' || unreachable.has(code ?? '');
  return isUnavailable
    ? new StorageFailure('unavailable', "the store isn't responding", error)
    : error;
}

/** System error codes for an unreachable service. */
const unreachable = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
]);
