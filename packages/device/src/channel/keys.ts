/** The key schedule for protocol version 2, from key agreement to link keys (PROTOCOL.md, section 11). */
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { CHALLENGE_LENGTH, KEY_LENGTH, OWNER_TAG_LENGTH } from '../codec/index.ts';
import { bytes, type Layout, text, u8, type ValueOf, writeLayout } from '../codec/layout.ts';

/** The HKDF info for a binding key. The input key material is the shared secret. */
export const BINDING_CONTEXT = {
  label: text(16),
  sn: text(16),
  phoneKey: bytes(KEY_LENGTH),
  recorderKey: bytes(KEY_LENGTH),
} as const satisfies Layout;

/** The HKDF info for the link keys. The input key material is the shared secret, and the salt is the binding key. */
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

/** The message a recorder signs with its device key to prove a binding to the account's server. */
export const ATTESTATION = {
  label: text(16),
  sn: text(16),
  owner: bytes(KEY_LENGTH),
  challenge: bytes(CHALLENGE_LENGTH),
} as const satisfies Layout;

/** The message whose HMAC proves knowledge of a Wi-Fi link's secret. */
export const WIFI_PROOF = {
  label: text(16),
  challenge: bytes(CHALLENGE_LENGTH),
} as const satisfies Layout;

export type Role = 'phone' | 'recorder';

/** An X25519 key pair, 32 bytes per key. */
export interface KeyPair {
  readonly publicKey: Uint8Array;
  readonly secretKey: Uint8Array;
}

/** Handshake values that both sides authenticate by deriving the link keys from them. */
export type HandshakeTranscript = Pick<
  ValueOf<typeof CHANNEL_CONTEXT>,
  'minVersion' | 'maxVersion' | 'version' | 'sn'
>;

/** A link's keys: one per direction, 32 bytes each. */
export interface LinkKeys {
  readonly phoneToRecorder: Uint8Array;
  readonly recorderToPhone: Uint8Array;
}

/** One side of a key agreement: its own key pair and the other side's public key. */
export interface KeyExchange {
  readonly role: Role;
  readonly keyPair: KeyPair;
  readonly peerKey: Uint8Array;
}

/** Generates a key pair for one binding or one link. */
export function generateKeyPair(): KeyPair {
  return x25519.keygen();
}

/** Computes the shared secret. @returns null if the peer's public key yields an all-zero secret (RFC 7748, 6.1) */
function sharedSecret({ keyPair, peerKey }: KeyExchange): Uint8Array | null {
  try {
    return x25519.getSharedSecret(keyPair.secretKey, peerKey);
  } catch {
    // The layout guarantees the key's length, so the library can throw only for an all-zero secret.
    return null;
  }
}

function publicKeys({ role, keyPair, peerKey }: KeyExchange) {
  return role === 'phone'
    ? { phoneKey: keyPair.publicKey, recorderKey: peerKey }
    : { phoneKey: peerKey, recorderKey: keyPair.publicKey };
}

/**
 * Derives the binding key, 32 bytes.
 * @param sn the recorder's serial number
 * @returns null if the peer's public key is invalid
 */
export function deriveBindingKey(exchange: KeyExchange, sn: string): Uint8Array | null {
  const shared = sharedSecret(exchange);
  const context = { label: 'Linnet binding 2', sn, ...publicKeys(exchange) };
  return (
    shared && hkdf(sha256, shared, undefined, writeLayout(BINDING_CONTEXT, context), KEY_LENGTH)
  );
}

/** Derives a link's keys. @returns null if the peer's public key is invalid */
export function deriveLinkKeys(
  exchange: KeyExchange,
  bindingKey: Uint8Array,
  handshake: HandshakeTranscript,
): LinkKeys | null {
  const shared = sharedSecret(exchange);
  if (!shared) return null;
  const context = { label: 'Linnet channel 2', ...handshake, ...publicKeys(exchange) };
  const info = writeLayout(CHANNEL_CONTEXT, context);
  const keys = hkdf(sha256, shared, bindingKey, info, 2 * KEY_LENGTH);
  return {
    phoneToRecorder: keys.slice(0, KEY_LENGTH),
    recorderToPhone: keys.slice(KEY_LENGTH),
  };
}

/** Hashes an owner tag. A recorder stores only this hash (32 bytes), which can't be used to claim it. */
export function hashOwnerTag(ownerTag: Uint8Array): Uint8Array {
  return sha256(writeLayout(OWNER_CONTEXT, { label: 'Linnet owner 2', ownerTag }));
}

/**
 * Returns the message that a recorder signs for an account, 96 bytes (PROTOCOL.md, section 11, "Attestation").
 * @param owner the account's hashed owner tag, from {@link hashOwnerTag}
 * @param challenge 32 bytes from the account's server
 */
export function attestationMessage(
  sn: string,
  owner: Uint8Array,
  challenge: Uint8Array,
): Uint8Array {
  return writeLayout(ATTESTATION, { label: 'Linnet attest 2', sn, owner, challenge });
}

/**
 * Returns the proof that opens a link over Wi-Fi, 32 bytes (PROTOCOL.md, section 10, "A link under version 2").
 * @param secret 16 bytes, from `wifiOpen` or `wifiConfigure`
 * @param challenge 32 bytes, from the recorder's first message
 */
export function wifiProof(secret: Uint8Array, challenge: Uint8Array): Uint8Array {
  return hmac(sha256, secret, writeLayout(WIFI_PROOF, { label: 'Linnet WiFi 2', challenge }));
}
