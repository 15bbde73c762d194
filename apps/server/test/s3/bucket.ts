import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { inject } from 'vitest';
import type { S3Bucket } from '../../src/providers/storage/s3/address.ts';
import { clientConfig } from '../../src/providers/storage/s3/client-config.ts';

/** Creates a new bucket on this run's S3 server. */
export async function makeBucket(): Promise<S3Bucket> {
  const bucket = `linnet-${randomUUID()}`;
  const where = { bucket, region: 'us-east-1', forcePathStyle: true, ...inject('s3') };
  await new S3Client(clientConfig(where)).send(new CreateBucketCommand({ Bucket: bucket }));
  return where;
}
