/** How far a phone has come on one link, and what it may ask there (PROTOCOL.md, sections 3 and 11). */
import type { Channel, HandshakeTranscript } from '@linnet/device/channel';
import { type CommandName, VERSION_1 } from '@linnet/device/codec';
import type { Viewer } from '../ownership.ts';

/** A key that the owner is asked about, or has confirmed on this link. */
export interface NewKey {
  readonly key: Uint8Array;
  readonly isConfirmed: boolean;
  /** Takes the question back. */
  readonly forget: () => void;
}

export type Stage =
  | { readonly at: 'connected' }
  /** The handshake was answered. */
  | { readonly at: 'agreed'; readonly agreed: HandshakeTranscript }
  /** The channel was answered; the first record that holds proves that the phone has the key, too. */
  | {
      readonly at: 'proving';
      readonly agreed: HandshakeTranscript;
      readonly channel: Channel;
      readonly key: Uint8Array;
      /** Whether the key is the one of this link's bind, which no owner tag came for yet. */
      readonly isNew: boolean;
    }
  /** Sealed with a new key, which no owner tag came for yet. */
  | { readonly at: 'claiming'; readonly channel: Channel; readonly key: Uint8Array }
  | { readonly at: 'trusted'; readonly sealed: null; readonly viewer: null }
  | {
      readonly at: 'trusted';
      readonly sealed: { readonly channel: Channel; readonly key: Uint8Array };
      readonly viewer: Viewer;
    };

const opening: readonly CommandName[] = ['handshake', 'agreeKey', 'openChannel'];
const onlyClear: readonly CommandName[] = ['handshake', 'token', 'bind', 'agreeKey', 'openChannel'];
const onlySealed: readonly CommandName[] = ['agreeKey', 'openChannel', 'claim', 'attest'];
const claiming: readonly CommandName[] = ['timeSync', 'claim', 'attest'];

/** Whether a command may come now; otherwise it is answered with result 34. */
export function isInOrder(stage: Stage, name: CommandName): boolean {
  switch (stage.at) {
    case 'connected':
      return name === 'handshake';
    case 'agreed':
      return stage.agreed.version === VERSION_1
        ? name === 'handshake' || name === 'token'
        : opening.includes(name);
    case 'proving':
      return opening.includes(name);
    case 'claiming':
      return claiming.includes(name);
    case 'trusted':
      return !(stage.sealed ? onlyClear : onlySealed).includes(name);
  }
}
