import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';

/** A bucket's location and credentials. */
export interface S3Bucket {
  readonly bucket: string;
  readonly region: string;
  /** Endpoint, or null for Amazon S3. */
  readonly endpoint: string | null;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether the bucket name is part of the path rather than of the host name. */
  readonly forcePathStyle: boolean;
}

/** Time in milliseconds for which an object's URL stays the same, to let browsers cache the object. */
const stepMs = 5 * 60_000;
/**
 * Lifetime of a URL in seconds. It is short, because a leaked URL works without a session. Players request a new URL
 * when it has expired.
 */
const lifeSeconds = 15 * 60;
const algorithm = 'AWS4-HMAC-SHA256';

/** Returns a bucket's URL, without a trailing slash. */
export function bucketAddress(s3Bucket: S3Bucket): string {
  const { origin, pathname, hostname } = new URL(
    s3Bucket.endpoint ?? `https://s3.${s3Bucket.region}.amazonaws.com`,
  );
  const base = `${origin}${pathname.replace(/\/$/, '')}`;
  // Like the SDK, use path style for an IP address, which can't have subdomains.
  return s3Bucket.forcePathStyle || isIP(hostname) !== 0
    ? `${base}/${s3Bucket.bucket}`
    : base.replace('//', `//${s3Bucket.bucket}.`);
}

/**
 * Creates an object's presigned URL (Signature Version 4 in the query), identical to the URL that the SDK would create.
 * The SDK isn't used, because a response can contain thousands of URLs and the SDK runs an asynchronous middleware
 * chain for each. The URL's start time is a multiple of {@link stepMs}.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function signedAddress(
  s3Bucket: S3Bucket,
  key: string,
  mediaType: string,
  now: Date,
): string {
  const start = new Date(Math.floor(now.getTime() / stepMs) * stepMs);
  return addressFrom(s3Bucket, key, mediaType, start);
}

/** Returns the object key in a currently valid URL for this bucket, or null. */
export function verifiedKey(s3Bucket: S3Bucket, address: string, now: Date): string | null {
  const base = `${bucketAddress(s3Bucket)}/`;
  if (!address.startsWith(base) || !URL.canParse(address)) return null;
  const { searchParams } = new URL(address);
  const key = address.slice(base.length).split('?')[0] ?? '';
  const start = parseTime(searchParams.get('X-Amz-Date') ?? '');
  if (start === null) return null;
  const age = now.getTime() - start.getTime();
  if (age < 0 || age > lifeSeconds * 1000) return null;
  const mediaType = searchParams.get('response-content-type') ?? '';
  const expected = Buffer.from(addressFrom(s3Bucket, key, mediaType, start));
  const actualBytes = Buffer.from(address);
  return actualBytes.length === expected.length && timingSafeEqual(actualBytes, expected)
    ? key
    : null;
}

function addressFrom(s3Bucket: S3Bucket, key: string, mediaType: string, start: Date): string {
  const time = start.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${s3Bucket.region}/s3/aws4_request`;
  const { host, origin, pathname } = new URL(`${bucketAddress(s3Bucket)}/${key}`);
  const query = Object.entries({
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD',
    'X-Amz-Credential': `${s3Bucket.accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(lifeSeconds),
    'X-Amz-SignedHeaders': 'host',
    // The media type is derived from the key, not from the upload.
    'response-content-type': mediaType,
    'x-id': 'GetObject',
  })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const request = ['GET', pathname, query, `host:${host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const toSign = [algorithm, time, scope, createHash('sha256').update(request).digest('hex')];
  const signingKey = [...scope.split('/')].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${s3Bucket.secretAccessKey}`,
  );
  const signature = createHmac('sha256', signingKey).update(toSign.join('\n')).digest('hex');
  return `${origin}${pathname}?${query}&X-Amz-Signature=${signature}`;
}

/** Parses `20261121T160000Z`. */
function parseTime(text: string): Date | null {
  const [, date, time] = /^(\d{8})T(\d{6})Z$/.exec(text) ?? [];
  if (date === undefined || time === undefined) return null;
  const iso = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
  const parsed = new Date(iso);
  return Number.isNaN(parsed.getTime()) ? null : parsed;
}
