/** The analyzer that uses a language model on this machine. The transcript doesn't leave the machine. */
import path from 'node:path';
import {
  type InstalledModel,
  ModelFailure,
  type ModelStore,
  modelBytes,
} from '../../../models/index.ts';
import { findLlama, LLAMA_PACKAGE } from '../../llama/installation.ts';
import { computeLimits, type LlamaModel, type LlamaOptions, openLlama } from '../../llama/model.ts';
import { createGenerativeAnalyzer } from '../generative/analyzer.ts';
import { AnalysisFailure, type TranscriptAnalyzer } from '../port.ts';
import { createLocalModel } from './local-model.ts';

export interface LocalAnalysisOptions
  extends Pick<LlamaOptions, 'contextTokens' | 'idleSeconds' | 'limits'> {
  readonly models: ModelStore;
  /** Folder for engines installed on demand. */
  readonly engines: string;
  /** Name of an installed language model, by default the first. */
  readonly model?: string | undefined;
}

/**
 * Creates an analyzer that runs an installed language model in a process. The process answers one request at a time.
 * @param openModel replaced by tests that need access to the process
 */
export function createLocalAnalyzer(
  options: LocalAnalysisOptions,
  openModel = openLlama,
): TranscriptAnalyzer {
  /** The models whose processes may be running: `current`, and previous models with unfinished analyses. */
  const opened = new Set<OpenedModel>();
  let current: OpenedModel | null = null;

  async function close(model: OpenedModel): Promise<void> {
    opened.delete(model);
    await model.llama.close();
  }

  async function open() {
    const engine = findLlama(options.engines);
    if (engine === null) throw new AnalysisFailure('engine-missing', missingEngine);
    const { folder, manifest } = await verifyModel(options.models, await findModel(options));
    const file = path.join(folder, manifest.roles.model ?? '');
    const llamaOptions = {
      ...{ ...options, engine, file, modelBytes: modelBytes(manifest) },
      purpose: 'chat' as const,
    };
    const previous = current;
    const model =
      previous?.file === file ? previous : { file, llama: openModel(llamaOptions), userCount: 0 };
    model.userCount += 1;
    current = model;
    opened.add(model);
    // The operator has installed a different model. Analyses with the previous model continue.
    if (previous && previous !== model && previous.userCount === 0) await close(previous);
    return createLocalModel({
      name: `local/${manifest.name}`,
      llama: model.llama,
      seconds: analysisSeconds(llamaOptions),
      async release() {
        model.userCount -= 1;
        if (model.userCount === 0 && model !== current && opened.has(model)) await close(model);
      },
    });
  }

  return {
    ...createGenerativeAnalyzer({ id: 'local', open, concurrency: 1 }),
    isDeferred: true,
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
      current = null;
      await Promise.all([...opened].map(close));
    },
  };
}

/** An opened model with the number of analyses that are using it. */
interface OpenedModel {
  readonly file: string;
  readonly llama: LlamaModel;
  userCount: number;
}

/** Timeout of an analysis, as a multiple of a request's timeout. */
const ANALYSIS_TIMEOUT_FACTOR = 4;
/** Maximum timeout of an analysis, in seconds. */
const LONGEST_ANALYSIS = 12 * 3600;

const analysisSeconds = (options: LlamaOptions) =>
  Math.min(LONGEST_ANALYSIS, ANALYSIS_TIMEOUT_FACTOR * computeLimits(options).seconds);

const missingEngine = `${LLAMA_PACKAGE} is not installed`;

/**
 * Returns the model to use.
 * @throws AnalysisFailure `engine-missing`
 */
async function findModel({ models, model }: LocalAnalysisOptions): Promise<InstalledModel> {
  const installed = await models.installed().catch((cause: unknown) => {
    throw new AnalysisFailure('engine-missing', `can't read ${models.folder}`, cause);
  });
  const installedModel = installed.find(
    ({ manifest }) =>
      manifest.kind === 'language' && (model === undefined || manifest.name === model),
  );
  if (installedModel) return installedModel;
  const name = model === undefined ? 'no language model' : `no language model ${model}`;
  throw new AnalysisFailure('engine-missing', `${name} is installed`);
}

/**
 * Returns a model if its files haven't changed since it was installed.
 * @throws AnalysisFailure `engine-missing`
 */
async function verifyModel(models: ModelStore, model: InstalledModel): Promise<InstalledModel> {
  try {
    await models.verify(model);
    return model;
  } catch (cause) {
    const reason = cause instanceof ModelFailure ? cause.message : "can't read a file";
    throw new AnalysisFailure('engine-missing', reason, cause);
  }
}
