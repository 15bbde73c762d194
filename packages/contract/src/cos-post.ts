import { toHex } from '@linnet/base';
import type { UploadGrant } from './calls.ts';

/**
 * Form field names in a Tencent COS *POST Object* request. The signature is HMAC-SHA1(HMAC-SHA1(secret, keyTime),
 * SHA1-hex(policy JSON)).
 * @see https://cloud.tencent.com/document/product/436/14690
 */
export const cosFields = {
  key: 'key',
  policy: 'policy',
  algorithm: 'q-sign-algorithm',
  accessKey: 'q-ak',
  keyTime: 'q-key-time',
  /** The name of the key time inside the policy. */
  signTime: 'q-sign-time',
  signature: 'q-signature',
  sessionToken: 'x-cos-security-token',
  contentType: 'Content-Type',
  successStatus: 'success_action_status',
  file: 'file',
} as const;

/** The only algorithm that COS supports. */
export const cosAlgorithm = 'sha1';

/**
 * Returns the signed form fields for an upload. Append them to a `FormData` in any order, then `file` last, and post it
 * to `grant.uploadUrl`. Status 204 means success.
 * @param size the file's maximum size in bytes, at most `grant.maxSize`
 * @throws TypeError if the grant contains an already signed form (`s3`), which must be posted as is
 */
export async function signCosPost(
  grant: UploadGrant,
  { contentType, size }: { contentType: string; size: number },
): Promise<Record<string, string>> {
  if (!grant.credentials) throw new TypeError('the upload grant contains a signed form');
  const { tmpSecretId, tmpSecretKey, sessionToken } = grant.credentials;
  const keyTime = `${grant.startTime};${grant.expiredTime}`;
  const policy = JSON.stringify({
    expiration: grant.expiration,
    conditions: [
      { [cosFields.algorithm]: cosAlgorithm },
      { [cosFields.accessKey]: tmpSecretId },
      { [cosFields.signTime]: keyTime },
      { bucket: grant.bucket },
      { key: grant.key },
      ['content-length-range', 0, Math.min(size, grant.maxSize)],
    ],
  });
  const signKey = await hmacSha1Hex(tmpSecretKey, keyTime);
  const digest = hex(await crypto.subtle.digest('SHA-1', utf8(policy)));
  return {
    [cosFields.key]: grant.key,
    [cosFields.contentType]: contentType,
    [cosFields.policy]: base64(policy),
    [cosFields.algorithm]: cosAlgorithm,
    [cosFields.accessKey]: tmpSecretId,
    [cosFields.keyTime]: keyTime,
    [cosFields.signature]: await hmacSha1Hex(signKey, digest),
    [cosFields.sessionToken]: sessionToken,
    [cosFields.successStatus]: '204',
  };
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const base64 = (text: string) => btoa(String.fromCharCode(...utf8(text)));
const hex = (bytes: ArrayBuffer) => toHex(new Uint8Array(bytes));

async function hmacSha1Hex(secret: string, message: string): Promise<string> {
  const key = await crypto.subtle.importKey(
    'raw',
    utf8(secret),
    { name: 'HMAC', hash: 'SHA-1' },
    false,
    ['sign'],
  );
  return hex(await crypto.subtle.sign('HMAC', key, utf8(message)));
}
