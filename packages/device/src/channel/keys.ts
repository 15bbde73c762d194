/** The key schedule of version 2 (PROTOCOL.md, section 11): from key pairs to what seals a link. */
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { CHALLENGE_LENGTH, KEY_LENGTH, OWNER_TAG_LENGTH } from '../codec/index.ts';
import { bytes, type Layout, text, u8, type ValueOf, writeLayout } from '../codec/layout.ts';

/** What a binding key is derived from beside the shared secret. */
export const BINDING_CONTEXT = {
  label: text(16),
  sn: text(16),
  phoneKey: bytes(KEY_LENGTH),
  recorderKey: bytes(KEY_LENGTH),
} as const satisfies Layout;

/** What the keys of a link are derived from beside the shared secret and the binding key. */
export const CHANNEL_CONTEXT = {
  label: text(16),
  minVersion: u8,
  maxVersion: u8,
  version: u8,
  sn: text(16),
  phoneKey: bytes(KEY_LENGTH),
  recorderKey: bytes(KEY_LENGTH),
} as const satisfies Layout;

const OWNER_CONTEXT = {
  label: text(16),
  ownerTag: bytes(OWNER_TAG_LENGTH),
} as const satisfies Layout;

/** What a recorder signs with its device key to prove a binding to its account's server. */
export const ATTESTATION = {
  label: text(16),
  sn: text(16),
  owner: bytes(KEY_LENGTH),
  challenge: bytes(CHALLENGE_LENGTH),
} as const satisfies Layout;

/** The message whose HMAC proves the secret of a WiFi link. */
export const WIFI_PROOF = {
  label: text(16),
  challenge: bytes(CHALLENGE_LENGTH),
} as const satisfies Layout;

export type Role = 'phone' | 'recorder';

/** X25519, 32 bytes each. */
export interface KeyPair {
  readonly publicKey: Uint8Array;
  readonly secretKey: Uint8Array;
}

/** What both sides said in the handshake. */
export type Agreed = Pick<
  ValueOf<typeof CHANNEL_CONTEXT>,
  'minVersion' | 'maxVersion' | 'version' | 'sn'
>;

/** Both keys of a link, 32 bytes each. */
export interface LinkKeys {
  readonly phoneToRecorder: Uint8Array;
  readonly recorderToPhone: Uint8Array;
}

/** One side of a key agreement: our pair, and the public key that the other side sent. */
export interface Exchange {
  readonly role: Role;
  readonly own: KeyPair;
  readonly theirs: Uint8Array;
}

/** A pair for one bind, or for one link. */
export function newKeyPair(): KeyPair {
  return x25519.keygen();
}

/** @returns null when the other side's public key gives a secret of zeroes (RFC 7748, 6.1) */
function sharedSecret({ own, theirs }: Exchange): Uint8Array | null {
  try {
    return x25519.getSharedSecret(own.secretKey, theirs);
  } catch {
    // Lengths are the layout's: this is the one thing left that the library refuses.
    return null;
  }
}

function publicKeys({ role, own, theirs }: Exchange) {
  return role === 'phone'
    ? { phoneKey: own.publicKey, recorderKey: theirs }
    : { phoneKey: theirs, recorderKey: own.publicKey };
}

/**
 * The key of a binding, 32 bytes.
 * @param sn the recorder's serial number
 * @returns null when the other side's public key is none
 */
export function bindingKeyOf(exchange: Exchange, sn: string): Uint8Array | null {
  const shared = sharedSecret(exchange);
  const context = { label: 'Linnet binding 2', sn, ...publicKeys(exchange) };
  return (
    shared && hkdf(sha256, shared, undefined, writeLayout(BINDING_CONTEXT, context), KEY_LENGTH)
  );
}

/** The keys of a link. @returns null when the other side's public key is none */
export function linkKeysOf(
  exchange: Exchange,
  bindingKey: Uint8Array,
  agreed: Agreed,
): LinkKeys | null {
  const shared = sharedSecret(exchange);
  if (!shared) return null;
  const context = { label: 'Linnet channel 2', ...agreed, ...publicKeys(exchange) };
  const info = writeLayout(CHANNEL_CONTEXT, context);
  const keys = hkdf(sha256, shared, bindingKey, info, 2 * KEY_LENGTH);
  return {
    phoneToRecorder: keys.slice(0, KEY_LENGTH),
    recorderToPhone: keys.slice(KEY_LENGTH),
  };
}

/** What a recorder keeps of an owner tag, 32 bytes: from it nobody claims anything. */
export function ownerOf(ownerTag: Uint8Array): Uint8Array {
  return sha256(writeLayout(OWNER_CONTEXT, { label: 'Linnet owner 2', ownerTag }));
}

/**
 * The message that a recorder signs for an account, 96 bytes (PROTOCOL.md, section 11, "Attestation").
 * @param owner hash of the account's owner tag, as {@link ownerOf} returns it
 * @param challenge 32 bytes from the account's server
 */
export function attestationOf(sn: string, owner: Uint8Array, challenge: Uint8Array): Uint8Array {
  return writeLayout(ATTESTATION, { label: 'Linnet attest 2', sn, owner, challenge });
}

/**
 * The proof that opens a link over WiFi, 32 bytes (PROTOCOL.md, section 10, "A link under version 2").
 * @param secret 16 bytes, from `wifiOpen` or `wifiConfigure`
 * @param challenge 32 bytes, from the recorder's first message
 */
export function wifiProofOf(secret: Uint8Array, challenge: Uint8Array): Uint8Array {
  return hmac(sha256, secret, writeLayout(WIFI_PROOF, { label: 'Linnet WiFi 2', challenge }));
}
