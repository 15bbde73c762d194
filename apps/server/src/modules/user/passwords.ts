import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { limits } from '@linnet/contract/limits';
import { commonPasswords } from './common-passwords.ts';

const derive = promisify(argon2);

/** The argon2id parameters recommended by OWASP: 19 MiB, two passes, one lane. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1, tagLength: 32 } as const;

/** Hashes a password. Returns a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { ...cost, message: normalize(password), nonce });
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`;
  return `$argon2id$v=19$${parameters}$${base64(nonce)}$${base64(tag)}`;
}

const phcPattern =
  /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * True if a password matches a hash.
 * @throws RangeError if the hash wasn't created by `hashPassword`
 */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, tag] = phcPattern.exec(hash) ?? [];
  if (!nonce || !tag) throw new RangeError('not an argon2id hash');
  const expected = Buffer.from(tag, 'base64');
  const actualHash = await derive('argon2id', {
    message: normalize(password),
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actualHash, expected);
}

let decoy: Promise<string> | undefined;
/**
 * Returns false after as much time as `verifyPassword` takes. Used for email addresses without an account, so that the
 * response time doesn't reveal whether there is one.
 */
export async function verifyDecoy(password: string): Promise<false> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'));
  await verifyPassword(password, await decoy);
  return false;
}

/** True if a password is acceptable for the account with this email address. */
export function isStrongEnough(password: string, email: string): boolean {
  const length = [...password].length;
  if (length < limits.password.minLength || length > limits.password.maxLength) return false;
  // Reject passwords that consist only of spaces, line breaks and invisible characters.
  if (!/[^\p{Z}\p{C}]/u.test(password)) return false;
  const folded = normalize(password).toLowerCase();
  return folded !== email.toLowerCase() && !commonPasswords.has(folded);
}

/** Normalizes a password, because the same character may be encoded in different ways (é as one or two code points). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
