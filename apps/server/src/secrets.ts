import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureDataDir } from './data-dir.ts';

/** The secrets that DATA_DIR may hold, by file. A backup takes them along. */
export const secretFiles = {
  /** What every signature is made with, unless SECRET says it. */
  signing: 'secret',
  /** Opens the outbox. */
  outbox: 'outbox-token',
  /** Signs firmware. */
  firmware: 'firmware-key',
} as const;

/** One key per purpose, all from SECRET: what is signed for one is worthless for another. */
export interface Keys {
  readonly accessToken: Uint8Array;
  readonly refreshToken: Uint8Array;
  readonly verificationCode: Uint8Array;
  readonly uploadSession: Uint8Array;
  readonly objectAddress: Uint8Array;
  readonly rateLimit: Uint8Array;
  readonly checkout: Uint8Array;
  /** Hashes e-mail addresses that had their trial. */
  readonly trial: Uint8Array;
  /** Seals the binding keys of recorders. */
  readonly bindingKey: Uint8Array;
  /** Makes what a recorder knows its owner by. */
  readonly ownerTag: Uint8Array;
  /** Makes the challenges that recorders sign to prove a binding. */
  readonly bindingChallenge: Uint8Array;
  /** Signs nothing: tells whether a backup was made with the same secret. */
  readonly fingerprint: Uint8Array;
}

/** The keys from SECRET, or from the secret that the first start left in DATA_DIR (0600). */
export async function loadKeys(config: {
  SECRET?: string | undefined;
  DATA_DIR: string;
}): Promise<Keys> {
  const secret = config.SECRET ?? (await ensureSecretFile(config.DATA_DIR, secretFiles.signing));
  const key = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', secret, '', `linnet ${purpose}`, 32));
  return {
    accessToken: key('access token'),
    refreshToken: key('refresh token'),
    verificationCode: key('verification code'),
    uploadSession: key('upload session'),
    objectAddress: key('object address'),
    rateLimit: key('rate limit'),
    checkout: key('checkout'),
    trial: key('trial'),
    bindingKey: key('binding key'),
    ownerTag: key('owner tag'),
    bindingChallenge: key('binding challenge'),
    fingerprint: key('fingerprint'),
  };
}

/** Reads a secret kept in DATA_DIR, making it at first use; of two processes that try, one wins. */
export async function ensureSecretFile(dataDir: string, name: string): Promise<string> {
  const file = path.join(await ensureDataDir(dataDir), name);
  // A link appears whole or not at all: no reader meets a file that is still being written.
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  const secret = (await readFile(file, 'utf8')).trim();
  if (secret.length < 32) throw new Error(`the secret in ${file} is damaged: delete the file`);
  return secret;
}

/** Whether two secrets are the same, in a time that does not tell how much of them is. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

export function hmac(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
