export {
  Channel,
  NUMBER_SIZE,
  openPhoneChannel,
  openRecorderChannel,
  TAG_SIZE,
} from './channel.ts';
export {
  attestationMessage,
  deriveBindingKey,
  deriveLinkKeys,
  generateKeyPair,
  type HandshakeTranscript,
  hashOwnerTag,
  type KeyPair,
  wifiProof,
} from './keys.ts';
