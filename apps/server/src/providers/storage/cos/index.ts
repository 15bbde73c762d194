import type { ObjectStore, StorageGateway } from '../port.ts';
import { openS3Store } from '../s3/index.ts';
import { requestFederationToken } from './federation.ts';

export interface CosBucket {
  /** Bucket name including the APPID, such as linnet-1250000000. */
  readonly bucket: string;
  readonly region: string;
  readonly secretId: string;
  readonly secretKey: string;
  /** COS endpoint, or null for Tencent's own. */
  readonly endpoint: string | null;
  readonly stsEndpoint: string;
}

/**
 * Stores objects in a Tencent COS bucket through its S3-compatible API. Clients post forms that they sign with
 * temporary keys for a single object.
 */
export function openCosStore(cosBucket: CosBucket): ObjectStore {
  const { bucket, region, secretId, secretKey } = cosBucket;
  const endpoint = cosBucket.endpoint ?? `https://cos.${region}.myqcloud.com`;
  const { gateway, ...store } = openS3Store(
    {
      bucket,
      region,
      endpoint,
      accessKeyId: secretId,
      secretAccessKey: secretKey,
      forcePathStyle: false,
    },
    'cos',
  );
  const federation = { endpoint: cosBucket.stsEndpoint, region, secretId, secretKey };
  return { ...store, gateway: { ...gateway, permitUpload } };

  /**
   * Issues temporary keys for a single object. The keys don't limit the object's size, so `ossFile` checks it
   * afterwards.
   */
  async function permitUpload({ key, end }: Parameters<StorageGateway['permitUpload']>[0]) {
    const appId = bucket.slice(bucket.lastIndexOf('-') + 1);
    const policy = {
      version: '2.0',
      statement: [
        {
          effect: 'allow',
          action: ['name/cos:PostObject'],
          resource: [`qcs::cos:${region}:uid/${appId}:${bucket}/${key}`],
        },
      ],
    };
    const seconds = Math.round(end - Date.now() / 1000);
    return { credentials: await requestFederationToken(federation, policy, seconds) };
  }
}
