import type { Config } from '../../config/index.ts';
import { openModels } from '../../models/index.ts';
import { enginesFolder } from '../llama/installation.ts';
import { createBuiltinAnalyzer } from './builtin/index.ts';
import { createLocalAnalyzer } from './local/index.ts';
import { createOpenAiAnalyzer } from './openai/index.ts';
import type { TranscriptAnalyzer } from './port.ts';

/** The settings that determine the analyzer. */
export type AnalysisConfig = Pick<
  Config,
  'LLM' | 'LLM_MODEL' | 'LLM_CONTEXT' | 'LLM_REQUESTS' | 'services' | 'modelsDir' | 'DATA_DIR'
>;

const SERVICE_MODEL = 'gpt-4o-mini';
/** Default context size of a service's model, in tokens. */
const SERVICE_CONTEXT = 16_000;
/** Default context size of a local model, in tokens. Smaller, because its memory use grows with the context. */
const LOCAL_CONTEXT = 8192;

/** Creates the configured analyzer. */
export function selectAnalyzer(config: AnalysisConfig): TranscriptAnalyzer {
  const address = config.services.LLM;
  if (config.LLM === 'local') {
    return createLocalAnalyzer({
      models: openModels(config.modelsDir),
      engines: enginesFolder(config.DATA_DIR),
      model: config.LLM_MODEL,
      contextTokens: config.LLM_CONTEXT ?? LOCAL_CONTEXT,
    });
  }
  if (config.LLM === 'builtin' || !address) return createBuiltinAnalyzer();
  return createOpenAiAnalyzer({
    ...address,
    model: config.LLM_MODEL ?? SERVICE_MODEL,
    contextTokens: config.LLM_CONTEXT ?? SERVICE_CONTEXT,
    concurrency: config.LLM_REQUESTS,
  });
}

export * from './port.ts';
