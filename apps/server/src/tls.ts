import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Config } from './config/index.ts';
import { ConfigFailure } from './config/index.ts';

/** What the API answers HTTPS with. */
export interface Tls {
  /** The certificate, and those between it and the one that browsers know. */
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * Reads the files that TLS_CERT and TLS_KEY name; null when they are not set.
 * @throws ConfigFailure when they cannot be read or do not belong together
 */
export async function readTls(config: Pick<Config, 'TLS_CERT' | 'TLS_KEY'>): Promise<Tls | null> {
  const { TLS_CERT, TLS_KEY } = config;
  if (TLS_CERT === undefined || TLS_KEY === undefined) return null;
  const [cert, key] = [await read('TLS_CERT', TLS_CERT), await read('TLS_KEY', TLS_KEY)];
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw unusable('TLS_CERT', `${TLS_CERT} does not go with ${TLS_KEY}`, error);
  }
  return { cert, key };
}

async function read(variable: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw unusable(variable, `${file} cannot be read`, error);
  }
}

function unusable(variable: string, what: string, error: unknown): ConfigFailure {
  const { code } = error as { code?: string };
  return new ConfigFailure(variable, `${variable} is invalid: ${what} (${code}).`);
}
