/** The analyzer that uses a service with OpenAI's API. */
import { openService, type ServiceOptions } from '../../openai/service.ts';
import { createGenerativeAnalyzer } from '../generative/analyzer.ts';
import type { TranscriptAnalyzer } from '../port.ts';
import { createChat } from './chat.ts';

export interface OpenAiAnalysisOptions extends ServiceOptions {
  readonly model: string;
  /** Size of the context window in tokens, including the answer. */
  readonly contextTokens: number;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
}

/** Analyzes with a service that implements OpenAI's `POST chat/completions`. The transcript is sent to that service. */
export function createOpenAiAnalyzer(options: OpenAiAnalysisOptions): TranscriptAnalyzer {
  const chat = createChat(openService(options), options);
  return createGenerativeAnalyzer({
    id: 'openai',
    open: async () => chat,
    concurrency: options.concurrency,
  });
}
