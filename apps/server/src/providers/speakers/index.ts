import type { Config } from '../../config/index.ts';
import { openModels } from '../../models/index.ts';
import type { SpeakerDiarizer } from './port.ts';
import { createSherpaDiarizer } from './sherpa/index.ts';

/** Selects the speaker diarizer. `isReady()` reports whether its models are installed. */
export function selectDiarizer(config: Pick<Config, 'modelsDir'>): SpeakerDiarizer {
  return createSherpaDiarizer({ models: openModels(config.modelsDir) });
}

export * from './port.ts';
