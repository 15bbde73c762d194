import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { S3Bucket } from './address.ts';

const connectionTimeoutMs = 5_000;
/** Idle timeout of a connection, in milliseconds. */
const socketTimeoutMs = 60_000;

/** Returns the SDK configuration for a bucket. */
export function clientConfig(s3Bucket: S3Bucket): S3ClientConfig {
  return {
    region: s3Bucket.region,
    ...(s3Bucket.endpoint !== null && { endpoint: s3Bucket.endpoint }),
    forcePathStyle: s3Bucket.forcePathStyle,
    credentials: { accessKeyId: s3Bucket.accessKeyId, secretAccessKey: s3Bucket.secretAccessKey },
    // Services other than Amazon S3 don't support checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      socketTimeout: socketTimeoutMs,
    },
  };
}
