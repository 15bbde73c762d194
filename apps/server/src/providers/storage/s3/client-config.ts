import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { S3Bucket } from './address.ts';

const connectionTimeoutMs = 5_000;
/** Maximum inactivity of a connection. */
const socketTimeoutMs = 60_000;

/** The SDK configuration for a bucket. */
export function clientConfig(where: S3Bucket): S3ClientConfig {
  return {
    region: where.region,
    ...(where.endpoint !== null && { endpoint: where.endpoint }),
    forcePathStyle: where.forcePathStyle,
    credentials: { accessKeyId: where.accessKeyId, secretAccessKey: where.secretAccessKey },
    // Other services do not support checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      socketTimeout: socketTimeoutMs,
    },
  };
}
