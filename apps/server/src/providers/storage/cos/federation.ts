import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { StorageFailure } from '../port.ts';

/** The endpoint and credentials of Tencent's Security Token Service. */
export interface Federation {
  readonly endpoint: string;
  readonly region: string;
  readonly secretId: string;
  readonly secretKey: string;
}

export interface TemporaryKeys {
  readonly tmpSecretId: string;
  readonly tmpSecretKey: string;
  readonly sessionToken: string;
}

const version = '2018-08-13';
const contentType = 'application/json';
const timeoutMs = 10_000;

const responseSchema = z.object({
  Response: z.union([
    z.object({
      Credentials: z.object({
        TmpSecretId: z.string(),
        TmpSecretKey: z.string(),
        Token: z.string(),
      }),
    }),
    z.object({ Error: z.object({ Code: z.string(), Message: z.string() }) }),
  ]),
});

/**
 * Requests temporary keys limited to `policy` (GetFederationToken).
 * @throws StorageFailure refused, unavailable
 * @see https://cloud.tencent.com/document/product/1312/48195
 */
export async function requestFederationToken(
  federation: Federation,
  policy: object,
  seconds: number,
): Promise<TemporaryKeys> {
  const body = JSON.stringify({
    Name: 'linnet',
    Policy: encodeURIComponent(JSON.stringify(policy)),
    DurationSeconds: seconds,
  });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {
    'Content-Type': contentType,
    Authorization: createAuthorizationHeader(federation, body, timestamp),
    'X-TC-Action': 'GetFederationToken',
    'X-TC-Version': version,
    'X-TC-Timestamp': String(timestamp),
    'X-TC-Region': federation.region,
  };
  let text: string;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const init = { method: 'POST', headers, body, signal, redirect: 'error' } as const;
    text = await (await fetch(federation.endpoint, init)).text();
  } catch (error) {
    throw new StorageFailure('unavailable', "the token service isn't responding", error);
  }
  const response = responseSchema.safeParse(parseJson(text)).data?.Response;
  if (!response) throw new StorageFailure('unavailable', 'invalid response from the token service');
  if ('Error' in response) throw new StorageFailure('refused', response.Error.Code);
  const { TmpSecretId, TmpSecretKey, Token } = response.Credentials;
  return { tmpSecretId: TmpSecretId, tmpSecretKey: TmpSecretKey, sessionToken: Token };
}

/**
 * Creates the Authorization header for a request (TC3-HMAC-SHA256).
 * @param timestamp the current time, in Unix seconds
 * @see https://cloud.tencent.com/document/api/1312/48171
 */
export function createAuthorizationHeader(
  { endpoint, secretId, secretKey }: Omit<Federation, 'region'>,
  body: string,
  timestamp: number,
): string {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10);
  const scope = `${date}/sts/tc3_request`;
  const signedHeaders = `content-type:${contentType}\nhost:${new URL(endpoint).host}\n`;
  const request = ['POST', '/', '', signedHeaders, 'content-type;host', sha256(body)].join('\n');
  const toSign = ['TC3-HMAC-SHA256', timestamp, scope, sha256(request)].join('\n');
  const signingKey = scope
    .split('/')
    .reduce<string | Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      `TC3${secretKey}`,
    );
  const signature = createHmac('sha256', signingKey).update(toSign).digest('hex');
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
