import type { Config } from '../../config/index.ts';
import { createBuiltinAnalyser } from './builtin/index.ts';
import { createOpenAiAnalyser } from './openai/index.ts';
import type { TranscriptAnalyser } from './port.ts';

/** The configuration that selects the analyser. */
export type AnalysisConfig = Pick<
  Config,
  'LLM' | 'LLM_MODEL' | 'LLM_CONTEXT' | 'LLM_REQUESTS' | 'services'
>;

/** The analyser that the configuration names. */
export function selectAnalyser(config: AnalysisConfig): TranscriptAnalyser {
  const address = config.services.LLM;
  if (config.LLM === 'builtin' || !address) return createBuiltinAnalyser();
  return createOpenAiAnalyser({
    ...address,
    model: config.LLM_MODEL,
    contextTokens: config.LLM_CONTEXT,
    atOnce: config.LLM_REQUESTS,
  });
}

export * from './port.ts';
