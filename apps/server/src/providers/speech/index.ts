import type { Config } from '../../config/index.ts';
import { openModels } from '../../models/index.ts';
import { createSpeechEngines, type SpeechEngines } from './engines.ts';
import { createOpenAiRecognizer } from './openai/index.ts';
import { createPocketSphinx } from './pocketsphinx/index.ts';
import { createSherpa } from './sherpa/index.ts';

/** The speech engines' settings. `ENGINES_DIR` contains system packages unpacked without root privileges. */
export type SpeechConfig = Pick<
  Config,
  | 'ASR'
  | 'ASR_MODELS'
  | 'ENGINES_DIR'
  | 'modelsDir'
  | 'services'
  | 'ASR_MODEL'
  | 'ASR_FORMAT'
  | 'ASR_MAX_BYTES'
  | 'ASR_MAX_SECONDS'
  | 'ASR_REQUESTS'
>;

/**
 * Creates the configured recognizers. `auto` selects the best available recognizer for each language. Engines that
 * aren't installed are also included, because the server must start without them. Their `readiness()` reports it.
 */
export function selectSpeechEngines(config: SpeechConfig): SpeechEngines {
  const sherpa = () =>
    createSherpa({ models: openModels(config.modelsDir), preferred: config.ASR_MODELS });
  const pocketSphinx = () => createPocketSphinx({ privateRoot: config.ENGINES_DIR });
  const openAi = () => {
    const address = config.services.ASR;
    if (!address) return [];
    const engine = createOpenAiRecognizer({
      ...address,
      model: config.ASR_MODEL,
      format: config.ASR_FORMAT,
      maxBytes: config.ASR_MAX_BYTES,
      maxSeconds: config.ASR_MAX_SECONDS,
      concurrency: config.ASR_REQUESTS,
    });
    return [engine];
  };
  switch (config.ASR) {
    case 'auto':
      return createSpeechEngines([...openAi(), sherpa(), pocketSphinx()]);
    case 'openai':
      return createSpeechEngines(openAi());
    case 'sherpa':
      return createSpeechEngines([sherpa()]);
    case 'pocketsphinx':
      return createSpeechEngines([pocketSphinx()]);
  }
}

export type { SpeechEngines } from './engines.ts';
export * from './port.ts';
export { sweepScratch } from './scratch.ts';
