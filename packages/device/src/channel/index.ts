export { acceptChannel, answerChannel, Channel, NUMBER_SIZE, TAG_SIZE } from './channel.ts';
export {
  type Agreed,
  attestationOf,
  bindingKeyOf,
  type KeyPair,
  linkKeysOf,
  newKeyPair,
  ownerOf,
  wifiProofOf,
} from './keys.ts';
