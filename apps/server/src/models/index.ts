export { type KnownModel, knownModels } from './catalogue.ts';
export { ModelFailure } from './failure.ts';
export { type Installation, installModel } from './install.ts';
export type { HearingKind, ModelKind, ModelManifest } from './manifest.ts';
export { hearingKinds, modelBytes } from './manifest.ts';
export { type InstalledModel, type ModelStore, openModels, type StoredModel } from './store.ts';
