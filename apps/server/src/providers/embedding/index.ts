import type { Config } from '../../config/index.ts';
import { openModels } from '../../models/index.ts';
import { enginesFolder } from '../llama/installation.ts';
import { createLocalEmbedder } from './local/index.ts';
import { createOpenAiEmbedder } from './openai/index.ts';
import type { Embedder } from './port.ts';

/** The settings that determine the embedder. */
export type EmbeddingConfig = Pick<
  Config,
  | 'EMBEDDINGS'
  | 'EMBEDDINGS_MODEL'
  | 'EMBEDDINGS_DIMENSIONS'
  | 'EMBEDDINGS_PASSAGE_PREFIX'
  | 'EMBEDDINGS_QUESTION_PREFIX'
  | 'services'
  | 'modelsDir'
  | 'DATA_DIR'
>;

const serviceModel = 'text-embedding-3-small';

/** Creates the configured embedder, or returns null if paragraphs are found only by keyword search. */
export function selectEmbedder(config: EmbeddingConfig): Embedder | null {
  const prefixes = {
    passage: config.EMBEDDINGS_PASSAGE_PREFIX?.trim() ?? '',
    question: config.EMBEDDINGS_QUESTION_PREFIX?.trim() ?? '',
  };
  const address = config.services.EMBEDDINGS;
  if (config.EMBEDDINGS === 'local') {
    return createLocalEmbedder({
      models: openModels(config.modelsDir),
      engines: enginesFolder(config.DATA_DIR),
      model: config.EMBEDDINGS_MODEL,
      dimensions: config.EMBEDDINGS_DIMENSIONS,
      prefixes,
    });
  }
  if (config.EMBEDDINGS === 'off' || !address) return null;
  return createOpenAiEmbedder({
    ...address,
    model: config.EMBEDDINGS_MODEL ?? serviceModel,
    dimensions: config.EMBEDDINGS_DIMENSIONS,
    prefixes,
  });
}

export * from './port.ts';
