export { type KnownModel, knownModels } from './catalogue.ts';
export { ModelFailure } from './failure.ts';
export { type Installation, installModel } from './install.ts';
export type { ModelKind, ModelManifest, RecognitionKind } from './manifest.ts';
export { modelBytes, recognitionKinds } from './manifest.ts';
export { type InstalledModel, type ModelStore, openModels, type StoredModel } from './store.ts';
