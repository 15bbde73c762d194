import type { Config } from '../../config/index.ts';

/**
 * Returns the address where push services can reach the operator: the server if it is public, otherwise the mail
 * sender.
 */
export function pushContact({ origin, MAIL_FROM }: Pick<Config, 'origin' | 'MAIL_FROM'>): string {
  if (origin.startsWith('https:') && new URL(origin).hostname !== 'localhost') return origin;
  const [, address = MAIL_FROM] = /<([^>]+)>/.exec(MAIL_FROM) ?? [];
  return `mailto:${address.trim()}`;
}
