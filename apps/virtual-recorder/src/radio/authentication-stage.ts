/** The authentication stages of a link and the commands allowed in each stage (PROTOCOL.md, sections 3 and 11). */
import type { Channel, HandshakeTranscript } from '@linnet/device/channel';
import { type CommandName, VERSION_1 } from '@linnet/device/codec';
import type { Viewer } from '../ownership.ts';

/** A binding key agreed on over this link but not claimed yet. */
export interface PendingKey {
  readonly key: Uint8Array;
  readonly isConfirmed: boolean;
  /** Cancels the user's confirmation. */
  readonly cancel: () => void;
}

export type Stage =
  | { readonly status: 'connected' }
  /** The handshake is complete. */
  | { readonly status: 'negotiated'; readonly handshake: HandshakeTranscript }
  /** `openChannel` is complete. The next valid record will prove that the phone has the key. */
  | {
      readonly status: 'proving';
      readonly handshake: HandshakeTranscript;
      readonly channel: Channel;
      readonly key: Uint8Array;
      /** Whether the key was agreed on over this link but hasn't been claimed yet. */
      readonly isNew: boolean;
    }
  /** The channel is sealed with a new key that hasn't been claimed yet. */
  | { readonly status: 'claiming'; readonly channel: Channel; readonly key: Uint8Array }
  | { readonly status: 'trusted'; readonly sealed: null; readonly viewer: null }
  | {
      readonly status: 'trusted';
      readonly sealed: { readonly channel: Channel; readonly key: Uint8Array };
      readonly viewer: Viewer;
    };

const opening: readonly CommandName[] = ['handshake', 'agreeKey', 'openChannel'];
const unsealedOnly: readonly CommandName[] = [
  'handshake',
  'token',
  'bind',
  'agreeKey',
  'openChannel',
];
const sealedOnly: readonly CommandName[] = ['agreeKey', 'openChannel', 'claim', 'attest'];
const claiming: readonly CommandName[] = ['timeSync', 'claim', 'attest'];

/** Whether a command is allowed in a stage. Other commands get result 34. */
export function isAllowed(stage: Stage, name: CommandName): boolean {
  switch (stage.status) {
    case 'connected':
      return name === 'handshake';
    case 'negotiated':
      return stage.handshake.version === VERSION_1
        ? name === 'handshake' || name === 'token'
        : opening.includes(name);
    case 'proving':
      return opening.includes(name);
    case 'claiming':
      return claiming.includes(name);
    case 'trusted':
      return !(stage.sealed ? unsealedOnly : sealedOnly).includes(name);
  }
}
