import { createBuiltinAnalyser } from './builtin/index.ts';
import type { TranscriptAnalyser } from './port.ts';

export interface AnalysisConfig {
  /** The variable `LLM`. */
  readonly llm: 'builtin';
}

/** The analyser that the configuration names. */
export function selectAnalyser(config: AnalysisConfig): TranscriptAnalyser {
  switch (config.llm) {
    case 'builtin':
      return createBuiltinAnalyser();
  }
}

export * from './port.ts';
