/** The phone's side of version 2: key agreement for a binding, and the channel of a link. */
import type { HandshakeTranscript } from '../channel/index.ts';
import { VERSION_1, VERSION_2 } from '../codec/index.ts';
import { DeviceError } from '../errors.ts';
import type { Link } from './link.ts';

/** Versions offered in the handshake for a new or sealed binding. */
export const BOTH_VERSIONS = { minVersion: VERSION_1, maxVersion: VERSION_2 } as const;

/** Loaded on demand, because only recorders of version 2 need it. */
const loadCryptography = () => import('../channel/index.ts');

/**
 * Opens the sealed channel of a link. The caller must set the time next: the first sealed record authenticates
 * the phone to the recorder.
 * @throws {DeviceError} `binding_unknown` when the recorder does not have this key
 */
export async function openChannel(link: Link, bindingKey: Uint8Array, sn: string): Promise<void> {
  const { newKeyPair, acceptChannel } = await loadCryptography();
  const keyPair = newKeyPair();
  const response = await link.request('openChannel', { publicKey: keyPair.publicKey });
  const handshake: HandshakeTranscript = { ...BOTH_VERSIONS, version: VERSION_2, sn };
  const exchange = { keyPair, peerKey: response.publicKey };
  const channel = acceptChannel(exchange, bindingKey, handshake, response.proof);
  if (!channel) throw new DeviceError('binding_unknown');
  link.secure(channel);
}

/**
 * Agrees on a binding key. @returns the key, valid after the owner's confirmation and `openChannel`
 * @throws {DeviceError} `busy` while recording, `reply_malformed` for an invalid public key
 */
export async function agreeKey(link: Link, sn: string): Promise<Uint8Array> {
  const { newKeyPair, deriveBindingKey } = await loadCryptography();
  const keyPair = newKeyPair();
  const response = await link.request('agreeKey', { publicKey: keyPair.publicKey });
  const exchange = { role: 'phone', keyPair, peerKey: response.publicKey } as const;
  const key = deriveBindingKey(exchange, sn);
  if (!key) throw new DeviceError('reply_malformed');
  return key;
}
