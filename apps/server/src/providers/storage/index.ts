import type { Config } from '../../config/index.ts';
import { openCosStore } from './cos/index.ts';
import { openLocalStore } from './local.ts';
import type { ObjectStore } from './port.ts';
import { openS3Store } from './s3/index.ts';

/** Opens the store named in STORAGE. */
export async function selectStore(config: Config): Promise<ObjectStore> {
  switch (config.STORAGE) {
    case 'local':
      return openLocalStore(config.DATA_DIR, config.DISK_RESERVE);
    case 's3':
      return openS3Store({
        bucket: requireValue(config.S3_BUCKET),
        region: config.S3_REGION,
        endpoint: config.S3_ENDPOINT ?? null,
        accessKeyId: requireValue(config.S3_ACCESS_KEY_ID),
        secretAccessKey: requireValue(config.S3_SECRET_ACCESS_KEY),
        forcePathStyle: config.S3_FORCE_PATH_STYLE,
      });
    case 'cos':
      return openCosStore({
        bucket: requireValue(config.COS_BUCKET),
        region: requireValue(config.COS_REGION),
        secretId: requireValue(config.COS_SECRET_ID),
        secretKey: requireValue(config.COS_SECRET_KEY),
        endpoint: config.COS_ENDPOINT ?? null,
        stsEndpoint: config.COS_STS_ENDPOINT,
      });
  }
}

/** Returns a required value. Only for the compiler, because readConfig already checks it. */
function requireValue(value: string | undefined): string {
  if (value === undefined) throw new TypeError('the configuration was not read by readConfig');
  return value;
}
