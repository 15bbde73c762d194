import type { S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import type { StorageGateway } from '../port.ts';
import { postForm } from '../post-form.ts';
import type { S3Bucket } from './address.ts';
import { bucketAddress, signedAddress, verifiedKey } from './address.ts';

/**
 * Gives clients direct access to a bucket with presigned URLs, and with signed upload forms whose limits the service
 * enforces.
 */
export function createS3Gateway(client: S3Client, s3Bucket: S3Bucket): StorageGateway {
  const { bucket, region } = s3Bucket;
  const address = bucketAddress(s3Bucket);
  return {
    bucket,
    region,
    address: () => address,

    async permitUpload({ key, maxSize, types: [type], end }) {
      const { fields } = await createPresignedPost(client, {
        Bucket: bucket,
        Key: key,
        Fields: { 'Content-Type': type, success_action_status: '204' },
        Conditions: [['content-length-range', 0, maxSize]],
        Expires: Math.round(end - Date.now() / 1000),
      });
      return { form: { url: address, fields } };
    },

    sign: (_origin, key, mediaType, now) => signedAddress(s3Bucket, key, mediaType, now),
    verify: (_origin, given, now) => verifiedKey(s3Bucket, given, now),
    post: (fields, file) => postForm(address, fields, file),
  };
}
