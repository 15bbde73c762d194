import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { S3Bucket } from './address.ts';

const connectionTimeoutMs = 5_000;
/** A store that is silent for so long does not answer any more. */
const socketTimeoutMs = 60_000;

/** How the SDK speaks to a bucket's service. */
export function clientConfig(where: S3Bucket): S3ClientConfig {
  return {
    region: where.region,
    ...(where.endpoint !== null && { endpoint: where.endpoint }),
    forcePathStyle: where.forcePathStyle,
    credentials: { accessKeyId: where.accessKeyId, secretAccessKey: where.secretAccessKey },
    // The newer checksums in trailers are Amazon's alone.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      socketTimeout: socketTimeoutMs,
    },
  };
}
