import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface TokenRequest {
  readonly policy: { statement: { action: string[]; resource: string[] }[] };
  readonly seconds: number;
  readonly headers: IncomingHttpHeaders;
}

export interface TokenService {
  readonly url: string;
  /** Requests with a correct signature. */
  readonly requests: TokenRequest[];
  close(): Promise<void>;
}

export const tencentKeys = { secretId: 'AKIDEXAMPLE', secretKey: 'secret-of-the-example' };

const sha256 = (data: string) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) =>
  createHmac('sha256', key).update(data).digest();

/**
 * A fake of Tencent's Security Token Service, which tests can't reach. Verifies each request's signature
 * (TC3-HMAC-SHA256) and age as documented by the service.
 */
export async function startTokenService(): Promise<TokenService> {
  const requests: TokenRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const fault = findFault(request.method ?? '', request.url ?? '', request.headers, body);
    const content = fault
      ? { Error: { Code: fault, Message: 'no' } }
      : {
          Credentials: { TmpSecretId: 'tmp-id', TmpSecretKey: 'tmp-key', Token: 'tmp-token' },
          ExpiredTime: 0,
          Expiration: '',
        };
    if (!fault) {
      const { Policy, DurationSeconds } = JSON.parse(body);
      const policy = JSON.parse(decodeURIComponent(Policy));
      requests.push({ policy, seconds: DurationSeconds, headers: request.headers });
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ Response: { ...content, RequestId: 'r' } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function findFault(
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
  body: string,
): string | null {
  const authorizationPattern =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/sts\/tc3_request, SignedHeaders=([a-z;-]+), Signature=([0-9a-f]{64})$/;
  const [, id, date, names = '', signature] =
    authorizationPattern.exec(headers.authorization ?? '') ?? [];
  const timestamp = Number(headers['x-tc-timestamp']);
  if (id !== tencentKeys.secretId) return 'AuthFailure.SecretIdNotFound';
  if (Math.abs(Date.now() / 1000 - timestamp) > 300) return 'AuthFailure.SignatureExpire';
  if (new Date(timestamp * 1000).toISOString().slice(0, 10) !== date)
    return 'AuthFailure.SignatureFailure';
  const signed = names.split(';');
  if (!signed.includes('host') || !signed.includes('content-type'))
    return 'AuthFailure.SignatureFailure';
  const lines = signed.map((name) => `${name}:${String(headers[name]).toLowerCase()}\n`).join('');
  const canonical = `${method}\n${path}\n\n${lines}\n${names}\n${sha256(body)}`;
  const toSign = `TC3-HMAC-SHA256\n${timestamp}\n${date}/sts/tc3_request\n${sha256(canonical)}`;
  const key = hmac(hmac(hmac(`TC3${tencentKeys.secretKey}`, date ?? ''), 'sts'), 'tc3_request');
  if (hmac(key, toSign).toString('hex') !== signature) return 'AuthFailure.SignatureFailure';
  if (headers['x-tc-action'] !== 'GetFederationToken') return 'InvalidAction';
  if (headers['x-tc-version'] !== '2018-08-13') return 'NoSuchVersion';
  return null;
}
