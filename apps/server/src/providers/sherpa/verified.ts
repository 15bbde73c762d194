import { type InstalledModel, ModelFailure, type ModelStore } from '../../models/index.ts';
import { SpeechFailure } from '../speech/port.ts';

/**
 * Verifies that the model files haven't changed since they were installed, because corrupt files crash the engine.
 * @throws SpeechFailure `model-corrupt`
 */
export async function verifyModels(
  store: ModelStore,
  models: readonly InstalledModel[],
): Promise<void> {
  for (const model of models) {
    try {
      await store.verify(model);
    } catch (cause) {
      const reason = cause instanceof ModelFailure ? cause.message : "can't read a file";
      throw new SpeechFailure('model-corrupt', reason, cause);
    }
  }
}
