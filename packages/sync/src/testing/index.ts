export {
  type AudioStoreHarness,
  audioStoreContract,
  type FullAudioStoreHarness,
  fullAudioStoreContract,
  type SampleSession,
} from './audio-store-contract.ts';
export {
  type ChangeStoreHarness,
  changeStoreContract,
  type Stores,
} from './change-store-contract.ts';
