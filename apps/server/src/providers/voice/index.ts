import type { Config } from '../../config/index.ts';
import { openModels } from '../../models/index.ts';
import { isSherpaInstalled } from '../sherpa/installation.ts';
import { createLevelDetector } from './level.ts';
import type { VoiceDetector } from './port.ts';
import { createSilero } from './silero.ts';

/**
 * Selects the voice detector for each recording: the neural detector if sherpa-onnx and a `voice` model are installed,
 * otherwise the level detector.
 */
export function selectVoiceDetector(config: Pick<Config, 'modelsDir'>): VoiceDetector {
  const models = openModels(config.modelsDir);
  const level = createLevelDetector();
  return {
    id: 'auto',
    async detect(request) {
      const model = isSherpaInstalled()
        ? (await models.installed()).find(({ manifest }) => manifest.kind === 'voice')
        : undefined;
      return (model ? createSilero({ models, model }) : level).detect(request);
    },
  };
}

export * from './port.ts';
