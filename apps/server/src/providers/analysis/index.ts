import type { Config } from '../../config/index.ts';
import { createBuiltinAnalyzer } from './builtin/index.ts';
import { createOpenAiAnalyzer } from './openai/index.ts';
import type { TranscriptAnalyzer } from './port.ts';

/** Settings that determine the analyzer. */
export type AnalysisConfig = Pick<
  Config,
  'LLM' | 'LLM_MODEL' | 'LLM_CONTEXT' | 'LLM_REQUESTS' | 'services'
>;

/** Creates the configured analyzer. */
export function selectAnalyzer(config: AnalysisConfig): TranscriptAnalyzer {
  const address = config.services.LLM;
  if (config.LLM === 'builtin' || !address) return createBuiltinAnalyzer();
  return createOpenAiAnalyzer({
    ...address,
    model: config.LLM_MODEL,
    contextTokens: config.LLM_CONTEXT,
    concurrency: config.LLM_REQUESTS,
  });
}

export * from './port.ts';
