import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureDataDir } from './data-dir.ts';

/** Secret files in DATA_DIR, which are included in backups. */
export const secretFiles = {
  /** The master secret, unless SECRET is set. */
  signing: 'secret',
  /** The outbox token. */
  outbox: 'outbox-token',
  /** The key that signs firmware. */
  firmware: 'firmware-key',
} as const;

/**
 * 128 bits more than a P-256 key, because the key is derived by modular reduction, which must not be biased (FIPS
 * 186-5, A.2.1).
 */
const vapidSeedBytes = 48;

/** Keys derived from SECRET, one per purpose. A signature made for one purpose isn't valid for another. */
export interface Keys {
  readonly accessToken: Uint8Array;
  readonly refreshToken: Uint8Array;
  readonly verificationCode: Uint8Array;
  readonly uploadSession: Uint8Array;
  readonly objectAddress: Uint8Array;
  readonly mindMapAddress: Uint8Array;
  readonly calendarAddress: Uint8Array;
  readonly shareAddress: Uint8Array;
  readonly unsubscribeAddress: Uint8Array;
  readonly rateLimit: Uint8Array;
  readonly checkout: Uint8Array;
  /** Hashes email addresses that have used their trial. */
  readonly trial: Uint8Array;
  /** Encrypts the binding keys of recorders. */
  readonly bindingKey: Uint8Array;
  /** Encrypts the secrets of webhooks. */
  readonly webhookSecret: Uint8Array;
  /** Encrypts the passwords of WebDAV servers. */
  readonly vaultPassword: Uint8Array;
  /** The seed of the private key that identifies the server at push services. */
  readonly vapid: Uint8Array;
  /** Derives the tag by which a recorder identifies the account that it is bound to. */
  readonly ownerTag: Uint8Array;
  /** Derives the challenges that recorders sign to prove a binding. */
  readonly bindingChallenge: Uint8Array;
  /** Identifies the secret in backups. Never used to sign anything. */
  readonly fingerprint: Uint8Array;
}

/**
 * Derives the keys from SECRET, or else from the secret file (mode 0600), which is created in DATA_DIR at the first
 * start.
 */
export async function loadKeys(config: {
  SECRET?: string | undefined;
  DATA_DIR: string;
}): Promise<Keys> {
  const secret = config.SECRET ?? (await ensureSecretFile(config.DATA_DIR, secretFiles.signing));
  const key = (purpose: string, bytes = 32) =>
    new Uint8Array(hkdfSync('sha256', secret, '', `linnet ${purpose}`, bytes));
  return {
    accessToken: key('access token'),
    refreshToken: key('refresh token'),
    verificationCode: key('verification code'),
    uploadSession: key('upload session'),
    objectAddress: key('object address'),
    mindMapAddress: key('mind map address'),
    calendarAddress: key('calendar address'),
    shareAddress: key('share address'),
    unsubscribeAddress: key('unsubscribe address'),
    rateLimit: key('rate limit'),
    checkout: key('checkout'),
    trial: key('trial'),
    bindingKey: key('binding key'),
    webhookSecret: key('webhook secret'),
    vaultPassword: key('vault password'),
    vapid: key('vapid', vapidSeedBytes),
    ownerTag: key('owner tag'),
    bindingChallenge: key('binding challenge'),
    fingerprint: key('fingerprint'),
  };
}

/** Reads a secret from DATA_DIR, creating it if necessary. Concurrent processes get the same secret. */
export async function ensureSecretFile(dataDir: string, name: string): Promise<string> {
  const file = path.join(await ensureDataDir(dataDir), name);
  // Creating a link is atomic, so no process can read a partially written file.
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
  if (secret.length < 32) throw new Error(`the secret in ${file} is corrupted: delete the file`);
  return secret;
}

/** Compares two secrets in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

export function hmac(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
