export { type BackgroundDownloads, downloadInBackground } from './background.ts';
export { type KnownModel, knownModels } from './catalog.ts';
export {
  clearDownloadState,
  type DownloadState,
  type DownloadSummary,
  readDownloadState,
  summarizeDownloads,
} from './download-state.ts';
export { ModelFailure, type ModelFailureCode } from './failure.ts';
export { installModel } from './install/install.ts';
export type { Installation } from './install/installation.ts';
export { lockFolder } from './lock.ts';
export type { ModelKind, ModelManifest, RecognitionKind } from './manifest.ts';
export { modelBytes, recognitionKinds, runsOnLlama } from './manifest.ts';
export { requestedModels } from './requested.ts';
export { type InstalledModel, type ModelStore, openModels, type StoredModel } from './store.ts';
