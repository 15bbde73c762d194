import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Config } from './config/index.ts';
import { ConfigFailure } from './config/index.ts';

/** Certificate and key for HTTPS. */
export interface Tls {
  /** Certificate chain in PEM format. */
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * Reads the TLS_CERT and TLS_KEY files. Returns null if these variables aren't set.
 * @throws ConfigFailure if the files can't be read or don't match
 */
export async function readTls(config: Pick<Config, 'TLS_CERT' | 'TLS_KEY'>): Promise<Tls | null> {
  const { TLS_CERT, TLS_KEY } = config;
  if (TLS_CERT === undefined || TLS_KEY === undefined) return null;
  const [cert, key] = [await read('TLS_CERT', TLS_CERT), await read('TLS_KEY', TLS_KEY)];
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw createInvalidFailure('TLS_CERT', `${TLS_CERT} doesn't match ${TLS_KEY}`, error);
  }
  return { cert, key };
}

async function read(variable: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw createInvalidFailure(variable, `can't read ${file}`, error);
  }
}

function createInvalidFailure(variable: string, reason: string, error: unknown): ConfigFailure {
  const { code } = error as { code?: string };
  return new ConfigFailure(variable, `${variable} is invalid: ${reason} (${code}).`);
}
