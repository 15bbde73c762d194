/** The phone's side of version 2: the key of a binding, and the channel of a link. */
import type { Agreed } from '../channel/index.ts';
import { VERSION_1, VERSION_2 } from '../codec/index.ts';
import { DeviceError } from '../errors.ts';
import type { Link } from './link.ts';

/** What a phone offers that speaks version 2 with a recorder. */
export const BOTH_VERSIONS = { minVersion: VERSION_1, maxVersion: VERSION_2 } as const;

/** Comes when it is needed: whoever has no recorder of version 2 never loads it. */
const cryptography = () => import('../channel/index.ts');

/**
 * Everything on this link is sealed from here on. Does nothing for the time, which is to be set next: the
 * recorder takes the phone for the owner's with the first record.
 * @throws {DeviceError} `binding_unknown` when the recorder does not have this key
 */
export async function openChannel(link: Link, bindingKey: Uint8Array, sn: string): Promise<void> {
  const { newKeyPair, acceptChannel } = await cryptography();
  const own = newKeyPair();
  const told = await link.request('openChannel', { publicKey: own.publicKey });
  const agreed: Agreed = { ...BOTH_VERSIONS, version: VERSION_2, sn };
  const exchange = { own, theirs: told.publicKey };
  const channel = acceptChannel(exchange, bindingKey, agreed, told.proof);
  if (!channel) throw new DeviceError('binding_unknown');
  link.secure(channel);
}

/**
 * Begins a bind. @returns the key, which counts once the owner has confirmed and a channel was opened with it
 * @throws {DeviceError} `busy` while it records, `reply_malformed` for a public key that is none
 */
export async function agreeKey(link: Link, sn: string): Promise<Uint8Array> {
  const { newKeyPair, bindingKeyOf } = await cryptography();
  const own = newKeyPair();
  const { publicKey: theirs } = await link.request('agreeKey', { publicKey: own.publicKey });
  const key = bindingKeyOf({ role: 'phone', own, theirs }, sn);
  if (!key) throw new DeviceError('reply_malformed');
  return key;
}
