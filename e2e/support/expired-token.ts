import { createHmac } from 'node:crypto';
import { loadKeys } from '@linnet/server/secrets';
import type { Stack } from './stack.ts';

type Claims = { readonly iat: number; readonly exp: number };

/** An expired access token, signed with the server's own key: waiting for a real one to expire takes 15 minutes. */
export async function expiredToken({ dataDir }: Stack, token: string): Promise<string> {
  const { accessToken: key } = await loadKeys({ DATA_DIR: dataDir });
  const [head = '', body = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims;
  const now = Math.floor(Date.now() / 1000);
  const { exp, iat } = claims;
  const over = { ...claims, iat: now - (exp - iat), exp: now };
  const signed = `${head}.${Buffer.from(JSON.stringify(over)).toString('base64url')}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
