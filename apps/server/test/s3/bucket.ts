import { inject } from 'vitest';
import type { S3Bucket } from '../../src/providers/storage/s3/address.ts';
import { createBucket } from './object-gateway.ts';

/** Creates a new bucket on this run's S3 server. */
export const makeBucket = (): Promise<S3Bucket> => createBucket(inject('s3'));
