/** The analyzer that uses a language model on this machine. The transcript doesn't leave it. */
import path from 'node:path';
import {
  type InstalledModel,
  ModelFailure,
  type ModelStore,
  modelBytes,
} from '../../../models/index.ts';
import { findLlama, LLAMA_PACKAGE } from '../../llama/installation.ts';
import { type LlamaModel, type LlamaOptions, openLlama } from '../../llama/model.ts';
import { SpeechFailure, type SpeechFailureCode } from '../../speech/port.ts';
import { createGenerativeAnalyzer } from '../generative/analyzer.ts';
import { AnalysisFailure, type AnalysisFailureCode, type TranscriptAnalyzer } from '../port.ts';
import { createLocalModel } from './local-model.ts';

export interface LocalAnalysisOptions
  extends Pick<LlamaOptions, 'contextTokens' | 'idleSeconds' | 'limits'> {
  readonly models: ModelStore;
  /** Folder for engines that are installed on demand. */
  readonly engines: string;
  /** Name of an installed language model; the first one if absent. */
  readonly model?: string | undefined;
}

/**
 * Analyzes with an installed language model, in one process that answers one request at a time.
 * @param openModel replaced by tests that need the process
 */
export function createLocalAnalyzer(
  options: LocalAnalysisOptions,
  openModel = openLlama,
): TranscriptAnalyzer {
  let opened: { readonly file: string; readonly llama: LlamaModel } | null = null;

  async function open() {
    const engine = findLlama(options.engines);
    if (engine === null) throw new AnalysisFailure('engine-missing', missingEngine);
    const { folder, manifest } = await verified(options.models, await findModel(options));
    const file = path.join(folder, manifest.roles.model ?? '');
    if (opened?.file !== file) {
      // The operator has installed another model.
      await opened?.llama.close();
      opened = {
        file,
        llama: openModel({ ...options, engine, file, modelBytes: modelBytes(manifest) }),
      };
    }
    return createLocalModel(`local/${manifest.name}`, opened.llama, toAnalysisFailure);
  }

  return {
    ...createGenerativeAnalyzer({ id: 'local', open, concurrency: 1 }),
    async missing() {
      try {
        await findModel(options);
        return findLlama(options.engines) === null ? missingEngine : null;
      } catch (error) {
        if (error instanceof AnalysisFailure) return error.detail;
        throw error;
      }
    },
    async close() {
      await opened?.llama.close();
      opened = null;
    },
  };
}

const missingEngine = `${LLAMA_PACKAGE} is not installed`;

/**
 * Returns the model to use.
 * @throws {AnalysisFailure} `engine-missing`
 */
async function findModel({ models, model }: LocalAnalysisOptions): Promise<InstalledModel> {
  const found = (await models.installed()).find(
    ({ manifest }) =>
      manifest.kind === 'language' && (model === undefined || manifest.name === model),
  );
  if (found) return found;
  const name = model === undefined ? 'no language model' : `no language model ${model}`;
  throw new AnalysisFailure('engine-missing', `${name} is installed`);
}

/**
 * Returns a model if its files haven't changed since the installation.
 * @throws {AnalysisFailure} `engine-missing`
 */
async function verified(models: ModelStore, model: InstalledModel): Promise<InstalledModel> {
  try {
    await models.verify(model);
    return model;
  } catch (cause) {
    const reason = cause instanceof ModelFailure ? cause.message : 'a file cannot be read';
    throw new AnalysisFailure('engine-missing', reason, cause);
  }
}

/** Failures of the process. Those that aren't listed are failures of the engine. */
const failureCodes: Partial<Record<SpeechFailureCode, AnalysisFailureCode>> = {
  aborted: 'aborted',
  'engine-missing': 'engine-missing',
  'model-corrupt': 'engine-missing',
};

function toAnalysisFailure(error: unknown): unknown {
  if (!(error instanceof SpeechFailure)) return error;
  return new AnalysisFailure(failureCodes[error.code] ?? 'engine-failed', error.message, error);
}
