export {
  type AudioStoreHarness,
  audioStoreContract,
  type FullAudioStoreHarness,
  fullAudioStoreContract,
  type SampleSession,
} from './audio-store-contract.ts';
