import path from 'node:path';
import { z } from 'zod';
import { baseUrl, boolean, choice, count, text, variable } from './variable.ts';

const bucketName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'a bucket of 3 to 63 lowercase letters, digits, dots and hyphens',
  );
const regionName = z.string().regex(/^[a-z0-9-]+$/, 'a region such as us-east-1');

/** Variables for the data folder, the database and object storage. */
export const storageVariables = {
  DATA_DIR: variable(
    'folder',
    './data',
    'Folder for all persistent data: database, objects, outbox, secrets.',
    z
      .string()
      .min(1)
      .default('./data')
      .transform((folder) => path.resolve(folder)),
  ),
  DATABASE_URL: variable(
    'postgres://…',
    'embedded',
    'External PostgreSQL database. Without it, an embedded database runs in `DATA_DIR`.',
    z.url({ protocol: /^postgres(ql)?$/, error: 'an address such as postgres://…' }).optional(),
  ),
  STORAGE: variable(
    'local, s3, cos',
    'local',
    'Object storage: `local` is a folder in `DATA_DIR`, `s3` an Amazon S3 or compatible bucket, `cos` a Tencent COS bucket.',
    choice(['local', 's3', 'cos']).default('local'),
  ),
  IMPORT_DIR: variable(
    'folder',
    'none',
    'Folder with a subfolder for each account, named by its email address or ID. New audio files in it are imported every minute, and stay in it.',
    z
      .string()
      .min(1)
      .transform((folder) => path.resolve(folder))
      .optional(),
  ),
  VAULT_DIR: variable(
    'folder',
    'none',
    'Folder in which workers keep a subfolder for each account, with a Markdown file for each of its recordings. It must exist, and must not contain `DATA_DIR` or `IMPORT_DIR`, or be inside `IMPORT_DIR`. When an account is erased, its subfolder is deleted.',
    z
      .string()
      .min(1)
      .transform((folder) => path.resolve(folder))
      .optional(),
  ),
  ACCOUNT_BYTES: variable(
    'bytes or 0',
    '100000000000',
    "Storage quota for an account's recordings; 0 for no limit. The app shows it on the storage page.",
    count(0, 999_999_999_999).default(100_000_000_000),
  ),
  DISK_RESERVE: variable(
    'bytes',
    '1000000000',
    'Minimum free disk space. Below it, `STORAGE=local` rejects new objects, to leave space for a database on the same disk.',
    count(0, 999_999_999_999).default(1_000_000_000),
  ),
  HISTORY_DAYS: variable(
    'days or 0',
    '1095',
    'How long the history of transcriptions lists permanently deleted recordings, from the end of their transcription; 0 for no limit.',
    count(0, 99_999).default(1095),
  ),
  S3_BUCKET: variable('name', 'none', 'Bucket for `STORAGE=s3`.', bucketName.optional()),
  S3_REGION: variable('name', 'us-east-1', "The bucket's region.", regionName.default('us-east-1')),
  S3_ENDPOINT: variable(
    'http(s)://…',
    "Amazon's",
    'Service endpoint. Both this server and browsers must reach it.',
    baseUrl.optional(),
  ),
  S3_ACCESS_KEY_ID: variable('text', 'none', 'Access key ID for `STORAGE=s3`.', text.optional()),
  S3_SECRET_ACCESS_KEY: variable(
    'text',
    'none',
    'Secret access key for `STORAGE=s3`.',
    text.optional(),
  ),
  S3_FORCE_PATH_STYLE: variable(
    'true, false',
    'false',
    'Puts the bucket name in the path, which most services other than Amazon require.',
    boolean.default(false),
  ),
  COS_BUCKET: variable(
    'name-appid',
    'none',
    'Bucket with its APPID, for `STORAGE=cos`.',
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]*-\d+$/, 'a bucket with its APPID, such as linnet-1250000000')
      .optional(),
  ),
  COS_REGION: variable(
    'name',
    'none',
    "The bucket's region, for `STORAGE=cos`.",
    regionName.optional(),
  ),
  COS_SECRET_ID: variable('text', 'none', 'Secret ID for `STORAGE=cos`.', text.optional()),
  COS_SECRET_KEY: variable('text', 'none', 'Secret key for `STORAGE=cos`.', text.optional()),
  COS_ENDPOINT: variable(
    'http(s)://…',
    'https://cos.COS_REGION.myqcloud.com',
    'COS endpoint, without the bucket.',
    baseUrl.optional(),
  ),
  COS_STS_ENDPOINT: variable(
    'http(s)://…',
    'https://sts.tencentcloudapi.com',
    'Endpoint that issues temporary Tencent credentials.',
    baseUrl.default('https://sts.tencentcloudapi.com'),
  ),
} as const;
