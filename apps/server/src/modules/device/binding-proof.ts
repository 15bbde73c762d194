/**
 * Proof that a recorder was bound to an account: the recorder's signature over a challenge from this server (the
 * recorder's PROTOCOL.md, section 11, "Attestation").
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import type { BindingProof } from '@linnet/contract';
import { hmac, sameSecret } from '../../secrets.ts';

/** Lifetime of a challenge in milliseconds: the recorder prompts its owner for a minute, and calls may be retried. */
const CHALLENGE_MS = 10 * 60_000;
/** Hex digits of the time in a challenge: milliseconds since 1970 in eight bytes. */
const TIME_DIGITS = 16;
/** Hex digits of a challenge, 32 bytes. */
const CHALLENGE_DIGITS = 64;
/** Ed25519 public keys as SubjectPublicKeyInfo up to their 32 bytes (RFC 8410, section 4). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
/** Bytes of a text field of the protocol, padded with zeros. */
const TEXT_BYTES = 16;

/** The account and serial that a challenge is issued for. */
export interface Subject {
  readonly accountId: string;
  readonly sn: string;
}

/** @returns the creation time and a MAC over time, account and serial: 32 bytes in hex. Nothing is stored. */
export function newChallenge(secret: Uint8Array, subject: Subject, now: Date): string {
  return withMark(secret, subject, now.getTime().toString(16).padStart(TIME_DIGITS, '0'));
}

function withMark(secret: Uint8Array, { accountId, sn }: Subject, time: string): string {
  const mark = hmac(secret, JSON.stringify([accountId, sn, time])).toString('hex');
  return (time + mark).slice(0, CHALLENGE_DIGITS);
}

/** Whether a challenge was issued by this server for this account and serial, and has not expired. */
export function isFresh(
  secret: Uint8Array,
  subject: Subject,
  challenge: string,
  now: Date,
): boolean {
  const time = challenge.slice(0, TIME_DIGITS);
  if (!sameSecret(challenge, withMark(secret, subject, time))) return false;
  return now.getTime() - Number.parseInt(time, 16) <= CHALLENGE_MS;
}

function text(value: string): Buffer {
  const field = Buffer.alloc(TEXT_BYTES);
  field.write(value, 'utf8');
  return field;
}

/**
 * Verifies a recorder's signature.
 * @param publicKey its registered Ed25519 key, 32 bytes
 * @param ownerTag the tag by which it identifies the account, 16 bytes
 */
export function isSigned(
  publicKey: Uint8Array,
  sn: string,
  ownerTag: Uint8Array,
  { challenge, signature }: BindingProof,
): boolean {
  const owner = createHash('sha256').update(text('Linnet owner 2')).update(ownerTag).digest();
  const message = Buffer.concat([
    text('Linnet attest 2'),
    text(sn),
    owner,
    Buffer.from(challenge, 'hex'),
  ]);
  const key = createPublicKey({
    key: Buffer.concat([SPKI_HEAD, publicKey]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, message, key, Buffer.from(signature, 'hex'));
}
