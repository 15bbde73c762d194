import { createHmac } from 'node:crypto';
import { loadKeys } from '@linnet/server/secrets';
import type { Stack } from './stack.ts';

type Claims = { readonly iat: number; readonly exp: number };

/**
 * Creates an expired access token, signed with the server's own key, because waiting for a real token to expire would
 * take 15 minutes.
 */
export async function createExpiredToken({ dataDir }: Stack, token: string): Promise<string> {
  const { accessToken: key } = await loadKeys({ DATA_DIR: dataDir });
  const [header = '', body = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims;
  const now = Math.floor(Date.now() / 1000);
  const { exp, iat } = claims;
  const expiredClaims = { ...claims, iat: now - (exp - iat), exp: now };
  const signedPart = `${header}.${Buffer.from(JSON.stringify(expiredClaims)).toString('base64url')}`;
  return `${signedPart}.${createHmac('sha256', key).update(signedPart).digest('base64url')}`;
}
