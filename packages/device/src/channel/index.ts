export { acceptChannel, answerChannel, Channel, NUMBER_SIZE, TAG_SIZE } from './channel.ts';
export {
  attestationMessage,
  deriveBindingKey,
  deriveLinkKeys,
  type HandshakeTranscript,
  hashOwnerTag,
  type KeyPair,
  newKeyPair,
  wifiProof,
} from './keys.ts';
