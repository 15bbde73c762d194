import type { Config } from './index.ts';

/** Returns one sentence for each setting that is safe on a local machine but dangerous on an exposed server. */
export function exposureWarnings(config: Config): string[] {
  if (!config.exposed) return [];
  const { origin, BILLING, SMTP_URL } = config;
  return [
    origin.startsWith('http:') &&
      `${origin} is plain HTTP: passwords, tokens and recordings cross the network unencrypted.`,
    BILLING === 'sandbox' &&
      'BILLING is sandbox: anyone gets membership and minutes without paying. Set stripe or off.',
    SMTP_URL === undefined &&
      'SMTP_URL is not set: verification codes are written to the outbox instead of being sent.',
  ].filter((warning) => warning !== false);
}
