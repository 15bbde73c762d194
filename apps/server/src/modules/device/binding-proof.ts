/**
 * Verifies a recorder's proof that it is bound to an account. The proof is the recorder's signature over a challenge
 * from this server; see "Attestation" in section 11 of the recorder's PROTOCOL.md.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import type { BindingProof } from '@linnet/contract';
import { hmac, isSameSecret } from '../../secrets.ts';

/** Lifetime of a challenge. Leaves time for the user to confirm on the recorder (up to a minute) and for retries. */
const challengeLifetimeMs = 10 * 60_000;
/**
 * Number of hexadecimal digits in the creation time at the start of a challenge: milliseconds since 1970, in eight
 * bytes.
 */
const timeDigits = 16;
/** Number of hexadecimal digits in a challenge (32 bytes). */
const challengeDigits = 64;
/** DER prefix of an Ed25519 public key's SubjectPublicKeyInfo, up to the 32 key bytes (RFC 8410, section 4). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
/** Length of a text field in the protocol. Shorter text is padded with zeros. */
const textFieldBytes = 16;

/** The account and serial number that a challenge is issued for. */
export interface ChallengeSubject {
  readonly accountId: string;
  readonly sn: string;
}

/**
 * Returns a challenge in hexadecimal digits: its creation time and a MAC over the time, account and serial number. The
 * MAC lets the server recognize its own challenges without storing them.
 */
export function newChallenge(secret: Uint8Array, subject: ChallengeSubject, now: Date): string {
  return challengeFor(secret, subject, now.getTime().toString(16).padStart(timeDigits, '0'));
}

function challengeFor(
  secret: Uint8Array,
  { accountId, sn }: ChallengeSubject,
  time: string,
): string {
  const mac = hmac(secret, JSON.stringify([accountId, sn, time])).toString('hex');
  return (time + mac).slice(0, challengeDigits);
}

/** Returns whether this server issued the challenge for this account and serial number, and it hasn't expired. */
export function isValidChallenge(
  secret: Uint8Array,
  subject: ChallengeSubject,
  challenge: string,
  now: Date,
): boolean {
  const time = challenge.slice(0, timeDigits);
  if (!isSameSecret(challenge, challengeFor(secret, subject, time))) return false;
  return now.getTime() - Number.parseInt(time, 16) <= challengeLifetimeMs;
}

function textField(value: string): Buffer {
  const field = Buffer.alloc(textFieldBytes);
  field.write(value, 'utf8');
  return field;
}

/**
 * Returns whether the proof's signature matches the recorder's key.
 * @param publicKey the recorder's registered Ed25519 key, 32 bytes
 * @param ownerTag the tag that identifies the account to the recorder, 16 bytes
 */
export function isSignatureValid(
  publicKey: Uint8Array,
  sn: string,
  ownerTag: Uint8Array,
  { challenge, signature }: BindingProof,
): boolean {
  const owner = createHash('sha256').update(textField('Linnet owner 2')).update(ownerTag).digest();
  const message = Buffer.concat([
    textField('Linnet attest 2'),
    textField(sn),
    owner,
    Buffer.from(challenge, 'hex'),
  ]);
  const key = createPublicKey({
    key: Buffer.concat([spkiPrefix, publicKey]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, message, key, Buffer.from(signature, 'hex'));
}
