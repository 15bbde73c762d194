/** Implements the phone's side of protocol version 2: key agreement for bindings, and channels for links. */
import type { HandshakeTranscript } from '../channel/index.ts';
import { VERSION_1, VERSION_2 } from '../codec/index.ts';
import { DeviceError } from '../errors.ts';
import type { Link } from './link.ts';

/** The versions offered in the handshake for a new or a version 2 binding. */
export const BOTH_VERSIONS = { minVersion: VERSION_1, maxVersion: VERSION_2 } as const;

/** Loads the cryptography code on demand, because only version 2 recorders need it. */
const loadCryptography = () => import('../channel/index.ts');

/**
 * Opens a link's sealed channel. The caller must set the recorder's time next, because the first sealed record
 * authenticates the phone to the recorder.
 * @throws {DeviceError} `binding_unknown` if the recorder doesn't have this key
 */
export async function openChannel(link: Link, bindingKey: Uint8Array, sn: string): Promise<void> {
  const { generateKeyPair, openPhoneChannel } = await loadCryptography();
  const keyPair = generateKeyPair();
  const response = await link.request('openChannel', { publicKey: keyPair.publicKey });
  const handshake: HandshakeTranscript = { ...BOTH_VERSIONS, version: VERSION_2, sn };
  const exchange = { keyPair, peerKey: response.publicKey };
  const channel = openPhoneChannel(exchange, bindingKey, handshake, response.proof);
  if (!channel) throw new DeviceError('binding_unknown');
  link.secure(channel);
}

/**
 * Agrees on a binding key with the recorder.
 * @returns the key, which becomes valid after the user has confirmed and `openChannel` was called
 * @throws {DeviceError} `busy` if a recording is in progress, `reply_malformed` for an invalid public key
 */
export async function agreeBindingKey(link: Link, sn: string): Promise<Uint8Array> {
  const { generateKeyPair, deriveBindingKey } = await loadCryptography();
  const keyPair = generateKeyPair();
  const response = await link.request('agreeKey', { publicKey: keyPair.publicKey });
  const exchange = { role: 'phone', keyPair, peerKey: response.publicKey } as const;
  const key = deriveBindingKey(exchange, sn);
  if (!key) throw new DeviceError('reply_malformed');
  return key;
}
