import type { Config } from '../../config/index.ts';
import { openModels } from '../../models/index.ts';
import type { SpeakerDiariser } from './port.ts';
import { createSherpaDiariser } from './sherpa/index.ts';

/** Selects the speaker diariser. `isReady()` reports whether its models are installed. */
export function selectDiariser(config: Pick<Config, 'modelsDir'>): SpeakerDiariser {
  return createSherpaDiariser({ models: openModels(config.modelsDir) });
}

export * from './port.ts';
